package org.bochner.model.train;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bochner.base.State;
import org.bochner.data.DataIdentity;
import org.bochner.data.MemorySource;
import org.bochner.data.PartMemory;
import org.bochner.data.PartSession;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowChoice;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.sample.RowView;
import org.bochner.model.file.ModelFile;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/** Rows in parts within this process. Tasks and pieces are written and read as if they were sent to another process. */
final class SplitRows extends RowView implements PartedRows {
    private final int parts;
    /** How often all rows were read in this process. */
    int opened;

    SplitRows(RowSource source, int parts) {
        super(source);
        this.parts = parts;
    }

    @Override
    public Optional<PartedRows> parted() {
        return Optional.of(this);
    }

    @Override
    public DataIdentity identity() {
        return source.identity();
    }

    @Override
    public RowCursor open() {
        opened++;
        return source.open();
    }

    @Override
    public RowSource where(RowChoice chosen, DataIdentity identity) {
        return new SplitRows(MemorySource.load(source, chosen), parts);
    }

    @Override
    public void requireReadable(String step) {}

    @Override
    public PartSession session(State shared) {
        byte[] sent = ModelFile.toBytes(shared);
        List<Memory> memories =
                IntStream.range(0, parts).mapToObj(p -> new Memory(sent)).toList();
        return new PartSession() {
            @Override
            public <P, R> R run(RowTask<P, R> task) {
                return SplitRows.this.run(task, memories);
            }

            @Override
            public void close() {
                memories.forEach(memory -> memory.kept = null);
            }
        };
    }

    /** What a process of its own keeps for one part. */
    private static final class Memory implements PartMemory {
        private final byte[] sent;
        private @Nullable Object shared;
        private @Nullable Object kept;

        Memory(byte[] sent) {
            this.sent = sent;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <S> S shared(Function<State, S> make) {
            shared = shared == null ? make.apply(ModelFile.fromBytes("shared", sent)) : shared;
            return (S) shared;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <K> K kept(Supplier<K> make) {
            kept = kept == null ? make.get() : kept;
            return (K) kept;
        }
    }

    @Override
    public <P, R> R run(RowTask<P, R> task) {
        return run(task, List.of());
    }

    private <P, R> R run(RowTask<P, R> task, List<Memory> memories) {
        byte[] sent = ModelFile.toBytes(task.state());
        List<List<P>> results = new ArrayList<>();
        for (int p = 0; p < parts; p++) {
            results.add(run(task, sent, p, memories));
        }
        while (results.size() > 1) {
            List<List<P>> merged = new ArrayList<>();
            for (int i = 0; i + 1 < results.size(); i += 2) {
                List<P> both = new ArrayList<>();
                for (int piece = 0; piece < task.pieces(); piece++) {
                    both.add(task.merge(
                            results.get(i).get(piece), results.get(i + 1).get(piece)));
                }
                merged.add(both);
            }
            if (results.size() % 2 == 1) {
                merged.add(results.get(results.size() - 1));
            }
            results = merged;
        }
        return task.result(results.get(0));
    }

    /** Runs a task on one part, with a copy of the task that was loaded from its saved form. */
    @SuppressWarnings("unchecked")
    private <P> List<P> run(RowTask<P, ?> task, byte[] sent, int part, List<Memory> memories) {
        RowTask<P, ?> loaded = (RowTask<P, ?>) RowTasks.load(ModelFile.fromBytes("task", sent));
        Workers workers = new Workers(1);
        IntFunction<P> pieces = memories.isEmpty()
                ? loaded.run(new Part(part), workers)
                : loaded.run(new Part(part), workers, memories.get(part));
        List<P> received = new ArrayList<>();
        for (int piece = 0; piece < task.pieces(); piece++) {
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                loaded.write(pieces.apply(piece), new DataOutputStream(bytes));
                received.add(task.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return received;
    }

    /** A range of the rows, with the indices that they have among all rows. The last part may be empty. */
    private final class Part extends RowView {
        private final long from;
        private final long end;

        Part(int part) {
            super(SplitRows.this.source);
            long size = (source.rows() + parts - 1) / parts;
            from = Math.min(source.rows(), part * size);
            end = Math.min(source.rows(), from + size);
        }

        @Override
        public long rows() {
            return end - from;
        }

        @Override
        public RowCursor open() {
            RowCursor all = source.open();
            RowBlockBuilder single = new RowBlockBuilder();
            for (long row = 0; row < from; row++) {
                all.next(single, 1);
            }
            return new Reading(all) {
                private long next = from;

                @Override
                public boolean next(RowBlockBuilder into, int maxRows) {
                    int count = (int) Math.min(maxRows, end - next);
                    RowBlockBuilder read = new RowBlockBuilder();
                    if (count == 0) {
                        into.beginDense(next, columns(), labels().targets(), false);
                        return false;
                    }
                    boolean more = cursor.next(read, count);
                    RowBlock block = read.build();
                    into.beginLike(block, next, block.hasRowWeights());
                    for (int i = 0; i < block.rows(); i++) {
                        into.addRow(block, i);
                    }
                    next += block.rows();
                    return more;
                }
            };
        }
    }
}
