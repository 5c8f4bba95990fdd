package org.bochner.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/**
 * The results of a task on each partition of blocks. Unlike {@code mapPartitions}, a task may read the blocks of its partition
 * several times.
 */
final class TaskRdd extends RDD<byte[]> {
    private static final long serialVersionUID = 1L;
    private static final ClassTag<RowChunk> CHUNK = ClassTag.apply(RowChunk.class);

    private final PartTask task;

    /** Computes the results of a partition, as bytes. */
    @FunctionalInterface
    interface PartTask extends Serializable {
        Iterator<byte[]> run(int part, Supplier<Iterator<RowChunk>> blocks);
    }

    TaskRdd(RDD<RowChunk> blocks, PartTask task) {
        super(blocks, ClassTag.apply(byte[].class));
        this.task = task;
    }

    @Override
    public scala.collection.Iterator<byte[]> compute(Partition split, TaskContext context) {
        RDD<RowChunk> blocks = firstParent(CHUNK);
        return CollectionConverters.asScala(
                task.run(split.index(), () -> CollectionConverters.asJava(blocks.iterator(split, context))));
    }

    @Override
    public Partition[] getPartitions() {
        return firstParent(CHUNK).partitions();
    }
}
