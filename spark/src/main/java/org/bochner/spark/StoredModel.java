package org.bochner.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.bochner.base.DataException;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelFile;
import org.bochner.model.file.SavedModel;
import org.jspecify.annotations.Nullable;

/**
 * A model as a stage holds it. It is sent to the executors once, as the bytes of its file, and each process loads it once. Copies
 * of a stage share it.
 *
 * <p>Threads: safe.
 */
final class StoredModel implements Serializable {
    private static final long serialVersionUID = 1L;

    private final transient KernelModel model;
    private transient @Nullable SparkContext context;
    private transient @Nullable Broadcast<Copy> sent;

    StoredModel(KernelModel model) {
        this.model = model;
    }

    /** The bytes of a model file, from which each process loads the model once. */
    static final class Copy implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte[] bytes;
        private transient volatile @Nullable KernelModel loaded;

        Copy(KernelModel model) {
            bytes = StoredModel.bytes(model);
            loaded = model;
        }

        KernelModel model() {
            KernelModel known = loaded;
            if (known == null) {
                known = loaded();
            }
            return known;
        }

        private synchronized KernelModel loaded() {
            KernelModel known = loaded;
            if (known == null) {
                known = load("model", bytes);
                loaded = known;
            }
            return known;
        }
    }

    /** What Java writes in place of a stored model. */
    private record Written(Copy copy) implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object readResolve() {
            return new StoredModel(copy.model());
        }
    }

    private Object writeReplace() {
        return new Written(new Copy(model));
    }

    KernelModel model() {
        return model;
    }

    /** Returns the bytes of the model file. */
    byte[] bytes() {
        return bytes(model);
    }

    private static byte[] bytes(KernelModel model) {
        return ModelFile.toBytes(SavedModel.state(ModelAccess.parts(model)));
    }

    private static KernelModel load(String name, byte[] bytes) {
        return ModelAccess.model(SavedModel.load(name, ModelFile.fromBytes(name, bytes)));
    }

    /** Returns the model on the executors of a session; sends it if it was not sent before. */
    synchronized Broadcast<Copy> send(SparkSession session) {
        SparkContext current = session.sparkContext();
        Broadcast<Copy> known = sent;
        if (known == null || context != current) {
            known = JavaSparkContext.fromSparkContext(current).broadcast(new Copy(model));
            sent = known;
            context = current;
        }
        return known;
    }

    /** Reads a model file through Hadoop's file systems; a local file may also be one of LIBSVM. */
    static StoredModel read(String path) {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
        try {
            FileSystem files = file.getFileSystem(configuration());
            org.apache.hadoop.fs.Path whole = files.makeQualified(file);
            if ("file".equals(whole.toUri().getScheme())) {
                return new StoredModel(KernelModel.load(Path.of(whole.toUri().getPath())));
            }
            try (FSDataInputStream in = files.open(whole)) {
                return new StoredModel(load(path, in.readAllBytes()));
            }
        } catch (IOException e) {
            throw DataException.in(path, "cannot read the model: " + e.getMessage(), e);
        }
    }

    /** Returns the configuration of the running session, or a new one without a session. */
    private static Configuration configuration() {
        scala.Option<SparkSession> session = SparkSession.getActiveSession();
        scala.Option<SparkSession> any = session.isDefined() ? session : SparkSession.getDefaultSession();
        return any.isDefined() ? any.get().sparkContext().hadoopConfiguration() : new Configuration();
    }
}
