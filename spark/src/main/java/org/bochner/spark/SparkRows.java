package org.bochner.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.State;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.DataIdentity;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.PartMemory;
import org.bochner.data.PartSession;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowChoice;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.SparseRows;
import org.bochner.model.file.ModelFile;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The rows of a DataFrame as partitions of blocks. Tasks run where the blocks are; their results are merged in the order of
 * the partitions, by executors if there are many or if they are large.
 *
 * <p>A cursor of this source streams all rows to the driver, in the time of one process.
 */
final class SparkRows implements RowSource, PartedRows {
    /** The number of results that are merged together; with at most as many partitions, the driver merges small results. */
    private static final int FAN_IN = 8;

    private final JavaRDD<RowChunk> chunks;
    private final FrameLayout layout;
    private final DataIdentity identity;
    private final long[] firstRows;
    private final long bytes;
    private final @Nullable Encoding encoding;

    /**
     * Creates a source.
     *
     * @param chunks the blocks, numbered from 0 in each partition
     * @param firstRows the index of the first row of each partition, and the number of all rows
     * @param bytes the bytes of all values
     */
    private SparkRows(
            JavaRDD<RowChunk> chunks,
            FrameLayout layout,
            DataIdentity identity,
            long[] firstRows,
            long bytes,
            @Nullable Encoding encoding) {
        this.chunks = chunks;
        this.layout = layout;
        this.identity = identity;
        this.firstRows = firstRows;
        this.bytes = bytes;
        this.encoding = encoding;
    }

    @Override
    public String name() {
        return layout.name();
    }

    @Override
    public int columns() {
        return layout.columns();
    }

    @Override
    public long rows() {
        return firstRows[firstRows.length - 1];
    }

    @Override
    public Labels labels() {
        return layout.labels();
    }

    @Override
    public boolean sparse() {
        return layout.sparse();
    }

    @Override
    public DataIdentity identity() {
        return identity;
    }

    @Override
    public @Nullable Encoding encoding() {
        return encoding;
    }

    @Override
    public String place(long row, int column) {
        return layout.place(row, column);
    }

    @Override
    public Optional<PartedRows> parted() {
        return Optional.of(this);
    }

    @Override
    public RowCursor open() {
        Iterator<RowChunk> all = SparkJobs.named(chunks.context(), "read rows on the driver", chunks::toLocalIterator);
        return new PartRows.ChunkCursor(
                layout, SparkJobs.named(chunks.context(), "read rows on the driver", all), 0, rows());
    }

    @Override
    public RowSource where(RowChoice chosen, DataIdentity chosenIdentity) {
        Sent choice = new Sent(ModelFile.toBytes(chosen.state()));
        FrameLayout rowLayout = layout;
        long[] starts = firstRows;
        JavaRDD<RowChunk> some = chunks.mapPartitionsWithIndex(
                (part, all) -> chosen(all, rowLayout, RowChoice.load(choice.state()), starts[part]), true);
        return of(some, layout.named(layout.name() + ", some of its rows"), chosenIdentity, encoding);
    }

    /** Returns the blocks. */
    JavaRDD<RowChunk> chunks() {
        return chunks;
    }

    /** Returns a source of blocks; counts their rows in a job. */
    static SparkRows of(JavaRDD<RowChunk> chunks, FrameLayout layout, DataIdentity identity) {
        return of(chunks, layout, identity, FrameReader.encoding(layout));
    }

    /** Returns a source of blocks with an encoding; counts their rows in a job. */
    static SparkRows of(
            JavaRDD<RowChunk> chunks, FrameLayout layout, DataIdentity identity, @Nullable Encoding encoding) {
        List<long[]> sizes = SparkJobs.named(chunks.context(), "convert rows", () -> sizes(chunks));
        long[] firstRows = new long[sizes.size() + 1];
        long bytes = 0;
        for (int p = 0; p < sizes.size(); p++) {
            firstRows[p + 1] = firstRows[p] + sizes.get(p)[0];
            bytes += sizes.get(p)[1];
        }
        return new SparkRows(chunks, layout, identity, firstRows, bytes, encoding);
    }

    /** Returns the rows of each partition, and the bytes of their values. */
    private static List<long[]> sizes(JavaRDD<RowChunk> chunks) {
        return chunks.mapPartitions(part -> {
                    long[] size = new long[2];
                    while (part.hasNext()) {
                        RowBlock block = part.next().rows();
                        size[0] += block.rows();
                        size[1] += block instanceof SparseRows sparse
                                ? 8L * sparse.starts()[block.rows()]
                                : 4L * block.rows() * block.columns();
                    }
                    return Collections.singletonList(size).iterator();
                })
                .collect();
    }

    @Override
    public void requireReadable(String step) {
        MemoryBudget most = MemoryBudget.kept();
        if (!most.holds((double) bytes)) {
            throw new BochnerException(
                    name() + ": " + step + " reads all rows on the driver: " + MemoryBudget.print(bytes)
                            + ", and half of its heap is " + MemoryBudget.print(most.bytes()),
                    Remedy.advice("give the driver more memory (--driver-memory), or fewer rows"));
        }
    }

    private static Iterator<RowChunk> chosen(
            Iterator<RowChunk> chunks, FrameLayout layout, RowChoice choice, long firstRow) {
        return new Iterator<>() {
            private long row = firstRow;

            @Override
            public boolean hasNext() {
                return chunks.hasNext();
            }

            @Override
            public RowChunk next() {
                RowBlock block = chunks.next().rows();
                RowBlockBuilder some = new RowBlockBuilder();
                layout.begin(some, 0);
                for (int i = 0; i < block.rows(); i++, row++) {
                    if (choice.test(row)) {
                        some.addRow(block, i);
                    }
                }
                return new RowChunk(some.build());
            }
        };
    }

    @Override
    public PartSession session(State shared) {
        Broadcast<SessionMemory> memory = context().broadcast(new SessionMemory(ModelFile.toBytes(shared)));
        return new PartSession() {
            @Override
            public <P, R> R run(RowTask<P, R> task) {
                return SparkRows.this.run(task, memory);
            }

            @Override
            public void close() {
                memory.destroy();
            }
        };
    }

    private JavaSparkContext context() {
        return JavaSparkContext.fromSparkContext(chunks.context());
    }

    @Override
    public <P, R> R run(RowTask<P, R> task) {
        return run(task, null);
    }

    /**
     * Runs a task.
     *
     * @param memory what processes keep between tasks; null if they keep nothing
     */
    private <P, R> R run(RowTask<P, R> task, @Nullable Broadcast<SessionMemory> memory) {
        int parts = firstRows.length - 1;
        int pieces = task.pieces();
        JavaSparkContext context = context();
        Broadcast<Sent> broadcast = context.broadcast(new Sent(ModelFile.toBytes(task.state())));
        String name = SparkJobs.name(task.state());
        try {
            FrameLayout rowLayout = layout;
            long[] starts = firstRows;
            TaskRdd.PartTask onPart = (part, blocks) -> {
                PartRows own = new PartRows(rowLayout, blocks, starts[part], starts[part + 1] - starts[part]);
                PartMemory kept = memory == null ? null : memory.value().part(part);
                return results(broadcast.value().task(), own, part, pieces, kept);
            };
            JavaRDD<byte[]> results =
                    SparkJobs.named(context.sc(), name, () -> new TaskRdd(chunks.rdd(), onPart).toJavaRDD());
            int count = parts;
            while (count > 1 && (count > FAN_IN || pieces > 1)) {
                count = (count + FAN_IN - 1) / FAN_IN;
                JavaRDD<byte[]> unmerged = results;
                int merged = count;
                results = SparkJobs.named(context.sc(), name, () -> merged(unmerged, broadcast, merged, pieces));
            }
            JavaRDD<byte[]> last = results;
            String job = count < parts ? name + ": merge" : name;
            List<TaskPiece> all = SparkJobs.named(context.sc(), job, last::collect).stream()
                    .map(TaskPiece::received)
                    .toList();
            return task.result(received(task, all, pieces));
        } finally {
            broadcast.destroy();
        }
    }

    /** Runs a task on one part; the pieces are made one after the other, while they are taken. */
    private static <P> Iterator<byte[]> results(
            RowTask<P, ?> task, PartRows rows, int part, int pieces, @Nullable PartMemory memory) {
        IntFunction<P> result;
        try {
            Workers workers = new Workers(Math.max(1, TaskContext.get().cpus()));
            result = memory == null ? task.run(rows, workers) : task.run(rows, workers, memory);
        } catch (BochnerException e) {
            if (TaskContext.get().isInterrupted()) {
                throw e;
            }
            return List.of(TaskPiece.failed(part, TaskFailure.of(e)).sent()).iterator();
        } catch (OutOfMemoryError e) {
            // Thrown on, it would end the executor, and the next one after it.
            BochnerException failure = new BochnerException(
                    rows.name() + ": an executor has too little memory for the tasks that it runs at a time",
                    Remedy.advice(
                            "give executors more memory (--executor-memory) or fewer cores, or take fewer features"));
            return List.of(TaskPiece.failed(part, TaskFailure.of(failure)).sent())
                    .iterator();
        }
        return IntStream.range(0, pieces)
                .mapToObj(piece ->
                        TaskPiece.of(part, piece, task, result.apply(piece)).sent())
                .iterator();
    }

    /** Merges the pieces of {@value #FAN_IN} neighbours each. */
    private static JavaRDD<byte[]> merged(JavaRDD<byte[]> results, Broadcast<Sent> task, int count, int pieces) {
        // A failure stands for all pieces: it goes to the merging of the first one.
        return results.mapToPair(sent -> {
                    TaskPiece result = TaskPiece.received(sent);
                    return new Tuple2<>(result.part() / FAN_IN * pieces + result.piece(), sent);
                })
                .partitionBy(new DirectPartitioner(Math.multiplyExact(count, pieces)))
                .values()
                .mapPartitionsWithIndex(
                        (index, own) -> merged(task.value().task(), own, index / pieces, index % pieces).stream()
                                .map(TaskPiece::sent)
                                .iterator(),
                        true);
    }

    private static <P> List<TaskPiece> merged(RowTask<P, ?> task, Iterator<byte[]> own, int place, int piece) {
        List<TaskPiece> ordered = new ArrayList<>();
        own.forEachRemaining(sent -> ordered.add(TaskPiece.received(sent)));
        ordered.sort(Comparator.comparingInt(TaskPiece::part));
        Optional<TaskPiece> failed =
                ordered.stream().filter(result -> result.failure() != null).findFirst();
        if (failed.isPresent() || ordered.isEmpty()) {
            return failed.map(result -> new TaskPiece(place, piece, new byte[0], result.failure())).stream()
                    .toList();
        }
        P sum = ordered.get(0).value(task);
        for (int i = 1; i < ordered.size(); i++) {
            sum = task.merge(sum, ordered.get(i).value(task));
        }
        return List.of(TaskPiece.of(place, piece, task, sum));
    }

    /** Returns the pieces of all rows, merged in the order of the parts. */
    private static <P> List<P> received(RowTask<P, ?> task, List<TaskPiece> results, int pieces) {
        results.stream()
                .filter(result -> result.failure() != null)
                .min(Comparator.comparingInt(TaskPiece::part))
                .ifPresent(result -> {
                    throw Objects.requireNonNull(result.failure()).exception();
                });
        @Nullable Object[] sums = new Object[pieces];
        results.stream().sorted(Comparator.comparingInt(TaskPiece::part)).forEach(result -> {
            P next = result.value(task);
            @SuppressWarnings("unchecked") // only values of this loop are in the array
            P sum = (P) sums[result.piece()];
            sums[result.piece()] = sum == null ? next : task.merge(sum, next);
        });
        @SuppressWarnings("unchecked") // as above
        List<P> merged = (List<P>) Arrays.asList(sums);
        return merged;
    }

    /** Returns how the columns became rows. */
    FrameLayout layout() {
        return layout;
    }

    /** Stops keeping the blocks. */
    void release() {
        chunks.unpersist(false);
    }
}
