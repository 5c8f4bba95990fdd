package org.bochner.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
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
    public boolean grouped() {
        return layout.grouped();
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
        return of(some, layout, chosenIdentity, encoding);
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
        List<Size> sizes = SparkJobs.named(chunks.context(), "convert rows", () -> sizes(chunks));
        long[] firstRows = new long[sizes.size() + 1];
        long bytes = 0;
        for (int p = 0; p < sizes.size(); p++) {
            firstRows[p + 1] = firstRows[p] + sizes.get(p).rows;
            bytes += sizes.get(p).bytes;
        }
        return new SparkRows(chunks, layout, identity, firstRows, bytes, encoding);
    }

    /** The rows of a partition, and the bytes of their values. */
    private record Size(long rows, long bytes) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private static List<Size> sizes(JavaRDD<RowChunk> chunks) {
        return chunks.mapPartitions(part -> {
                    long rows = 0;
                    long bytes = 0;
                    while (part.hasNext()) {
                        RowBlock block = part.next().rows();
                        rows += block.rows();
                        bytes += block instanceof SparseRows sparse
                                ? 8L * sparse.starts()[block.rows()]
                                : 4L * block.rows() * block.columns();
                    }
                    return Collections.singletonList(new Size(rows, bytes)).iterator();
                })
                .collect();
    }

    @Override
    public void requireReadable(String step) {
        MemoryBudget most = MemoryBudget.kept();
        if (!most.holds(bytes)) {
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
                    if (choice.test(block.grouped() ? block.group(i) : row)) {
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
            JavaRDD<TaskPiece> first = SparkJobs.named(
                    context.sc(),
                    name,
                    () -> chunks.mapPartitionsWithIndex(
                            (part, rows) -> {
                                PartRows own =
                                        new PartRows(rowLayout, rows, starts[part], starts[part + 1] - starts[part]);
                                PartMemory kept =
                                        memory == null ? null : memory.value().part(part);
                                return results(broadcast.value().task(), own, part, pieces, kept);
                            },
                            true));
            JavaRDD<TaskPiece> results = first;
            int count = parts;
            while (count > 1 && (count > FAN_IN || pieces > 1)) {
                count = (count + FAN_IN - 1) / FAN_IN;
                JavaRDD<TaskPiece> unmerged = results;
                int merged = count;
                results = SparkJobs.named(context.sc(), name, () -> merged(unmerged, broadcast, merged, pieces));
            }
            JavaRDD<TaskPiece> last = results;
            boolean mergesLast = count < parts;
            List<TaskPiece> all = SparkJobs.named(context.sc(), mergesLast ? name + ": merge" : name, last::collect);
            return task.result(received(task, all, pieces));
        } finally {
            broadcast.destroy();
        }
    }

    /** Runs a task on one part; the pieces are made one after the other, while they are taken. */
    private static <P> Iterator<TaskPiece> results(
            RowTask<P, ?> task, PartRows rows, int part, int pieces, @Nullable PartMemory memory) {
        IntFunction<P> result;
        try {
            Workers workers = new Workers(Math.max(1, TaskContext.get().cpus()));
            result = memory == null ? task.run(rows, workers) : task.run(rows, workers, memory);
        } catch (BochnerException e) {
            if (TaskContext.get().isInterrupted()) {
                throw e;
            }
            return List.of(TaskPiece.failed(part, TaskFailure.of(e))).iterator();
        }
        return IntStream.range(0, pieces)
                .mapToObj(piece -> TaskPiece.of(part, piece, task, result.apply(piece)))
                .iterator();
    }

    /** Merges the pieces of {@value #FAN_IN} neighbours each. */
    private static JavaRDD<TaskPiece> merged(JavaRDD<TaskPiece> results, Broadcast<Sent> sent, int count, int pieces) {
        // A failure stands for all pieces: it goes to the merging of the first one.
        return results.mapToPair(result -> new Tuple2<>(result.part() / FAN_IN * pieces + result.piece(), result))
                .partitionBy(new DirectPartitioner(Math.multiplyExact(count, pieces)))
                .values()
                .mapPartitionsWithIndex(
                        (index, own) -> merged(sent.value().task(), own, index / pieces, index % pieces)
                                .iterator(),
                        true);
    }

    private static <P> List<TaskPiece> merged(RowTask<P, ?> task, Iterator<TaskPiece> own, int place, int piece) {
        List<TaskPiece> ordered = new ArrayList<>();
        own.forEachRemaining(ordered::add);
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
                    throw java.util.Objects.requireNonNull(result.failure()).exception();
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
