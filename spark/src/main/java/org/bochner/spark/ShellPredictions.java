package org.bochner.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;
import org.bochner.base.BochnerException;
import org.bochner.cli.PredictionForm;
import org.bochner.model.KernelModel;
import org.bochner.model.PredictionWriter;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/** Predicts rows where they are, and writes one file per partition. */
final class ShellPredictions {
    private ShellPredictions() {}

    /** A failure of a partition. */
    private record Failed(int part, TaskFailure failure) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Writes the predictions; a failure may leave some of them in the folder. */
    static void write(SparkRows rows, KernelModel model, PredictionForm form, String output) {
        JavaRDD<RowChunk> chunks = rows.chunks();
        SparkContext context = chunks.context();
        FrameLayout layout = rows.layout();
        long[] firstRows = firstRows(chunks);
        // A task that throws would run again, and rows do not change.
        CollectionAccumulator<Failed> failures = context.collectionAccumulator();
        Broadcast<StoredModel.Copy> sent =
                JavaSparkContext.fromSparkContext(context).broadcast(new StoredModel.Copy(model));
        try {
            SparkJobs.named(context, "predict", () -> {
                chunks.mapPartitionsWithIndex(
                                (part, own) -> new Lines(
                                        own,
                                        layout,
                                        sent.value().model(),
                                        form,
                                        firstRows[part],
                                        failure -> failures.add(new Failed(part, failure))),
                                true)
                        .saveAsTextFile(output);
                return output;
            });
        } finally {
            sent.destroy();
        }
        failures.value().stream().min(Comparator.comparingInt(Failed::part)).ifPresent(first -> {
            throw first.failure.exception();
        });
    }

    /** Returns the index of the first row of each partition. */
    private static long[] firstRows(JavaRDD<RowChunk> chunks) {
        List<Long> counts = SparkJobs.named(
                chunks.context(),
                "count rows",
                () -> chunks.mapPartitions(own -> {
                            long rows = 0;
                            while (own.hasNext()) {
                                rows += own.next().rows().rows();
                            }
                            return List.of(rows).iterator();
                        })
                        .collect());
        long[] first = new long[counts.size()];
        for (int part = 1; part < first.length; part++) {
            first[part] = first[part - 1] + counts.get(part - 1);
        }
        return first;
    }

    /** The lines of a partition, up to the first failure. Each text has the lines of a chunk, without the last line end. */
    private static final class Lines implements Iterator<String> {
        private final Iterator<RowChunk> chunks;
        private final FrameLayout layout;
        private final PredictionWriter later;
        private final Consumer<TaskFailure> failed;
        private PredictionWriter writer;
        private long row;
        private @Nullable String next;
        private boolean done;

        Lines(
                Iterator<RowChunk> chunks,
                FrameLayout layout,
                KernelModel model,
                PredictionForm form,
                long firstRow,
                Consumer<TaskFailure> failed) {
            this.chunks = chunks;
            this.layout = layout;
            this.failed = failed;
            writer = form.writer(model);
            later = form.withHeader(false).writer(model);
            row = firstRow;
        }

        @Override
        public boolean hasNext() {
            while (next == null && !done && chunks.hasNext()) {
                next = lines(chunks.next());
            }
            return next != null;
        }

        @Override
        public String next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            String lines = Objects.requireNonNull(next);
            next = null;
            return lines;
        }

        /** Returns the lines of a chunk; null if it has none. */
        private @Nullable String lines(RowChunk chunk) {
            int count = chunk.rows().rows();
            StringWriter out = new StringWriter();
            try {
                writer.write(
                        new PartRows(layout, List.of(chunk)::iterator, row, count), new Workers(1), Progress.NONE, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (BochnerException e) {
                if (TaskContext.get().isInterrupted()) {
                    throw e;
                }
                failed.accept(TaskFailure.of(e));
                done = true;
                return null;
            }
            writer = count > 0 ? later : writer;
            row += count;
            int end = out.getBuffer().length() - 1;
            return end < 0 ? null : out.getBuffer().substring(0, end);
        }
    }
}
