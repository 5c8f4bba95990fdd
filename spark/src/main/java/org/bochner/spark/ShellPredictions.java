package org.bochner.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.bochner.base.BochnerException;
import org.bochner.cli.PredictionForm;
import org.bochner.model.KernelModel;
import org.bochner.model.PredictionWriter;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelFile;
import org.bochner.model.file.SavedModel;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/** Predicts rows where they are, and writes one file per partition. */
final class ShellPredictions {
    private ShellPredictions() {}

    /** A model as the bytes of its file, which each process loads once. */
    private static final class Copy implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte[] bytes;
        private transient volatile @Nullable KernelModel loaded;

        Copy(KernelModel model) {
            bytes = ModelFile.toBytes(SavedModel.state(ModelAccess.parts(model)));
        }

        synchronized KernelModel model() {
            KernelModel known = loaded;
            if (known == null) {
                known = ModelAccess.model(SavedModel.load("model", ModelFile.fromBytes("model", bytes)));
                loaded = known;
            }
            return known;
        }
    }

    static void write(SparkRows rows, KernelModel model, PredictionForm form, String output) {
        JavaRDD<RowChunk> chunks = rows.chunks();
        FrameLayout layout = rows.layout();
        Broadcast<Copy> sent =
                JavaSparkContext.fromSparkContext(chunks.context()).broadcast(new Copy(model));
        try {
            SparkJobs.named(chunks.context(), "predict", () -> {
                chunks.mapPartitions(part -> lines(part, layout, sent.value().model(), form))
                        .saveAsTextFile(output);
                return output;
            });
        } finally {
            sent.destroy();
        }
    }

    /** Returns the lines of a partition; each text has the lines of a chunk, without the last line end. */
    private static Iterator<String> lines(
            Iterator<RowChunk> chunks, FrameLayout layout, KernelModel model, PredictionForm form) {
        PredictionWriter first = form.writer(model);
        PredictionWriter later = form.withHeader(false).writer(model);
        return new Iterator<>() {
            private long row;

            @Override
            public boolean hasNext() {
                return chunks.hasNext();
            }

            @Override
            public String next() {
                RowChunk chunk = chunks.next();
                int count = chunk.rows().rows();
                PartRows rows = new PartRows(layout, List.of(chunk)::iterator, row, count);
                StringWriter out = new StringWriter();
                try {
                    (row == 0 ? first : later).write(rows, new Workers(1), Progress.NONE, out);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (BochnerException e) {
                    // Its remedies cannot be sent.
                    throw new IllegalStateException(e.problem());
                }
                row += count;
                return out.toString().stripTrailing();
            }
        };
    }
}
