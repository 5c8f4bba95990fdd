package org.bochner.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.map.binning.BinningMap;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.scale.fit.ScaledRows;
import org.jspecify.annotations.Nullable;

/**
 * The cells of all rows of a source in the grids of a {@link BinningMap}, for products with the features Z, which have one
 * non-zero per row and grid. The cells of the first rows are kept in memory up to a budget; those of the others are computed
 * again in every pass. Results are bit-identical for every budget and number of threads: a score adds the grids in order, and
 * the sum of a cell adds the rows in order.
 *
 * <p>Vectors over cells have one <em>slot</em> per feature, and one more at the start of each grid for the rows whose cell is
 * not known. This slot must be 0 in weights, and is 0 in sums. The slots of a grid are in the order in which the rows reach the
 * cells: large cells come first, and most rows need a small part of the vectors, which stays in the cache.
 *
 * <p>Memory: 4 bytes per kept row and grid, 4 per feature, and buffers ({@link #bytesNeeded}). Cost of a pass: one addition per
 * row, grid and output for scores, and one for sums; a hash per grid for each row that is not kept, if the pass needs cells.
 * Threads: one pass at a time.
 */
public final class CellRows {
    /** The most blocks that are mapped again together, so that the threads have work. */
    private static final int GROUP = 8;

    /** The bytes of the cells, or of the scores, of blocks that are worked on together, if they are several blocks. */
    private static final long TOGETHER_BYTES = 1 << 27;

    /** Few rows are divided into this many blocks, so that the threads have equal work. */
    private static final int BLOCKS = 16;

    private static final int FEWEST_ROWS = 256;

    /** Kept blocks whose scores are in memory together. */
    private static final int MOST_TOGETHER = 64;

    /** Grids that are added together for one output. */
    private static final int TOGETHER = 4;

    private final BinningMap map;
    private final Slots order;
    private final Labels labels;
    private final Workers workers;
    private final List<Part> parts;
    /** Rows whose cells are held together; their scores stay in the cache while the grids are added. */
    private final int blockRows;

    private CellRows(BinningMap map, Slots order, Labels labels, Workers workers, List<Part> parts, int blockRows) {
        this.map = map;
        this.order = order;
        this.labels = labels;
        this.workers = workers;
        this.parts = parts;
        this.blockRows = blockRows;
    }

    /** The slots of all cells. */
    private static final class Slots {
        /** The slot of each cell; 0 for a cell that no row has reached yet. The slot 0 is that of no cell. */
        private final int[] ofCells;

        private final int[] next;

        Slots(BinningMap map) {
            ofCells = new int[map.outputDimension()];
            next = new int[map.grids()];
            Arrays.setAll(next, g -> map.start(g) + g + 1);
        }

        /** Replaces the cells of a grid by their slots. The rows must come in order. */
        void replace(int grid, int unknown, int[] cells, int at, int count) {
            for (int i = at; i < at + count; i++) {
                int cell = cells[i];
                if (cell < 0) {
                    cells[i] = unknown;
                } else {
                    if (ofCells[cell] == 0) {
                        ofCells[cell] = next[grid]++;
                    }
                    cells[i] = ofCells[cell];
                }
            }
        }
    }

    /** Some consecutive rows: their cells, targets and weights. */
    public static final class Block {
        /** The slot of row i in grid g at g·rows + i; empty in passes that need no cells. */
        final int[] slots;

        private final RowTargets targets;
        private final int rows;
        /** The number of rows before this block. */
        private final long first;

        private Block(int[] slots, RowTargets targets, int rows, long first) {
            this.slots = slots;
            this.targets = targets;
            this.rows = rows;
            this.first = first;
        }

        public int rows() {
            return rows;
        }

        /** Returns the index of the first row among all rows. */
        public long first() {
            return first;
        }

        /** Returns target t of a row: a number, or the index of a class. */
        public double target(int row, int t) {
            return targets.target(row, t);
        }

        public double rowWeight(int row) {
            return targets.rowWeight(row);
        }

        private long bytes() {
            return (long) Integer.BYTES * slots.length + 24L * rows;
        }

        private Block after(long others) {
            return new Block(slots, targets, rows, first + others);
        }
    }

    /** Turns the scores of a block, rows×outputs, into coefficients of its rows, in place. */
    @FunctionalInterface
    public interface Work {
        /**
         * Works on a block; runs in parallel.
         *
         * @param values the scores, or zeros if there are no weights; receives the coefficients
         * @param totals receives sums over the rows of the block, which are added over the blocks in order
         */
        void accept(Block block, double[] values, double[] totals);
    }

    /** The rows of one source: kept blocks, and the rows after them. */
    private static final class Part {
        private final MappedSource mapped;
        private final List<Block> held = new ArrayList<>();
        private long rows;
        private long offset;
        private double rowWeight;

        Part(MappedSource mapped) {
            this.mapped = mapped;
        }

        long heldRows() {
            return held.stream().mapToLong(Block::rows).sum();
        }

        Part after(long others) {
            Part later = new Part(mapped);
            held.forEach(block -> later.held.add(block.after(others)));
            later.rows = rows;
            later.rowWeight = rowWeight;
            later.offset = offset + others;
            return later;
        }
    }

    /**
     * Reads all rows once.
     *
     * @param mapped rows that are not sets, with a {@link BinningMap}
     * @param budget the bytes that cells may take; the cells of rows beyond it are computed again in every pass
     */
    public static CellRows read(MappedSource mapped, long budget, FeatureStore.Listener listener) {
        PartedRows.requireReadable(mapped.source(), "the map binning");
        long rows = mapped.source().rows();
        long share = rows < 0 ? BinningMap.BLOCK_ROWS : Math.max(FEWEST_ROWS, (rows + BLOCKS - 1) / BLOCKS);
        return read(mapped, budget, listener, (int) Math.min(BinningMap.BLOCK_ROWS, share));
    }

    /** Reads all rows once, in blocks of a number of rows, on which results do not depend but for rounding of totals. */
    static CellRows read(MappedSource mapped, long budget, FeatureStore.Listener listener, int blockRows) {
        return read(mapped, new Slots((BinningMap) mapped.map()), budget, listener, blockRows);
    }

    /** Reads all rows of another source with the same map once; they can be {@linkplain #and joined} to these rows. */
    public CellRows readOther(MappedSource mapped, long budget, FeatureStore.Listener listener) {
        return read(mapped, order, budget, listener, blockRows);
    }

    private static CellRows read(
            MappedSource mapped, Slots order, long budget, FeatureStore.Listener listener, int blockRows) {
        Require.that(!mapped.source().ofSets(), "CellRows", "the rows must not be sets");
        Part part = new Part(mapped);
        BinningMap map = (BinningMap) mapped.map();
        CellRows rows = new CellRows(map, order, mapped.source().labels(), mapped.workers(), List.of(part), blockRows);
        long[] left = {budget};
        rows.read(part, 0, true, (block, fraction) -> {
            part.rows += block.rows;
            part.rowWeight += Arrays.stream(block.targets.weights()).sum();
            left[0] -= block.bytes();
            if (left[0] >= 0) {
                part.held.add(block);
            } else {
                left[0] = -1;
            }
            listener.mapped(part.rows, fraction);
        });
        return rows;
    }

    /** Fails if there are no rows, or none with a weight. */
    public void requireWeight() {
        if (!(totalRowWeight() > 0)) {
            throw new BochnerException(
                    parts.get(0).mapped.source().name() + ": holds no rows, or none with a row weight above 0");
        }
    }

    /** Returns these rows followed by others, which were read {@linkplain #readOther after} them. */
    public CellRows and(CellRows others) {
        List<Part> all = new ArrayList<>(parts);
        for (Part part : others.parts) {
            all.add(part.after(rows()));
        }
        return new CellRows(map, order, labels, workers, all, blockRows);
    }

    private interface Sink {
        void accept(Block block, double fraction);
    }

    /**
     * Reads the rows of a part after some blocks.
     *
     * @param cells true to find the cells of the rows, false if targets and weights are enough
     */
    private void read(Part part, int skipped, boolean cells, Sink sink) {
        MappedSource mapped = part.mapped;
        UnaryOperator<RowBlock> scaling = mapped.scaler().forBlocks();
        RowWeights rowWeights = mapped.rowWeights();
        RowBlockBuilder builder = new RowBlockBuilder();
        long first = part.offset;
        try (RowCursor cursor = mapped.source().open()) {
            for (int b = 0; cursor.next(builder, blockRows); b++) {
                RowBlock rows = builder.build();
                if (b >= skipped) {
                    RowTargets targets = RowTargets.of(rows, rowWeights);
                    int[] slots = cells ? slots(scaling.apply(rows)) : new int[0];
                    sink.accept(new Block(slots, targets, rows.rows(), first), cursor.progress());
                }
                first += rows.rows();
            }
        } catch (RowException e) {
            throw ScaledRows.located(mapped.source(), e, mapped.scaler().scaling());
        }
    }

    private int[] slots(RowBlock rows) {
        FiniteFeatures.requireMappable(rows);
        map.checkColumns(rows);
        int count = rows.rows();
        int[] slots = new int[Math.multiplyExact(count, map.grids())];
        RowBlock compact = BinningMap.compact(rows);
        workers.each(map.grids(), g -> {
            int unknown = map.start(g) + g;
            map.cells(compact, g, new long[count], slots, g * count);
            order.replace(g, unknown, slots, g * count, count);
        });
        return slots;
    }

    public Labels labels() {
        return labels;
    }

    /** Returns the number of rows. */
    public long rows() {
        return parts.stream().mapToLong(part -> part.rows).sum();
    }

    /** Returns the number of rows whose cells are in memory. */
    public long heldRows() {
        return parts.stream().mapToLong(Part::heldRows).sum();
    }

    /** Returns the bytes of the cells in memory. */
    public long heldBytes() {
        return parts.stream()
                .flatMap(part -> part.held.stream())
                .mapToLong(Block::bytes)
                .sum();
    }

    /** Returns the number of features. */
    public int features() {
        return map.outputDimension();
    }

    /** Returns the length of vectors over cells: one slot per feature and one per grid. */
    public int slots() {
        return map.outputDimension() + map.grids();
    }

    /** Returns |z|² of a row whose cells are all known. */
    public double squaredLength() {
        double sum = 0;
        for (int g = 0; g < map.grids(); g++) {
            sum += map.value(g) * map.value(g);
        }
        return sum;
    }

    /** Returns the sum of the row weights. */
    public double totalRowWeight() {
        return parts.stream().mapToDouble(part -> part.rowWeight).sum();
    }

    /**
     * Returns the bytes of passes over rows, besides the kept cells.
     *
     * @param rows the number of rows, or -1 if it is not known
     */
    public static double bytesNeeded(BinningMap map, long rows, int outputs) {
        long block = rows < 0 ? BinningMap.BLOCK_ROWS : Math.min(rows, BinningMap.BLOCK_ROWS);
        long blocks = rows < 0 ? Long.MAX_VALUE : (rows + BinningMap.BLOCK_ROWS - 1) / BinningMap.BLOCK_ROWS;
        double cells = (double) Integer.BYTES * map.grids() * block;
        double scores = (double) Double.BYTES * outputs * block;
        return (double) Integer.BYTES * map.outputDimension()
                + Math.min(blocks, together(cells, GROUP)) * cells
                + Math.min(blocks, together(scores, MOST_TOGETHER)) * scores;
    }

    /** Returns the number of blocks that are worked on together: as many as fit into the buffer, and at least one. */
    private static int together(double bytesPerBlock, int most) {
        return (int) Math.max(1, Math.min(most, TOGETHER_BYTES / bytesPerBlock));
    }

    /** Returns the weights of the features, D×outputs, from a vector over cells, in a new array. */
    public double[] toFeatures(double[] ofSlots, int outputs) {
        double[] weights = new double[Math.multiplyExact(features(), outputs)];
        for (int cell = 0; cell < features(); cell++) {
            // The slot 0 is that of unknown cells of the first grid, and has zeros.
            System.arraycopy(ofSlots, order.ofCells[cell] * outputs, weights, cell * outputs, outputs);
        }
        return weights;
    }

    /**
     * Runs one pass over all rows: computes the scores Z·w, lets the work turn them into coefficients a, and adds Zᵀ·a to
     * sums.
     *
     * @param weights w, slots×outputs; null for scores of 0
     * @param sums slots×outputs; null if no sums are needed
     * @param totals the number of totals
     * @return the totals over all rows
     */
    public double[] pass(double @Nullable [] weights, int outputs, Work work, double @Nullable [] sums, int totals) {
        double[] all = new double[totals];
        Consumer<List<Block>> run = blocks -> run(blocks, weights, outputs, work, sums, all);
        boolean cells = weights != null || sums != null;
        int together = together((double) Double.BYTES * outputs * blockRows, MOST_TOGETHER);
        int most = Math.min(together, together((double) Integer.BYTES * map.grids() * blockRows, GROUP));
        for (Part part : parts) {
            for (int b = 0; b < part.held.size(); b += together) {
                run.accept(part.held.subList(b, Math.min(part.held.size(), b + together)));
            }
            if (part.heldRows() < part.rows) {
                List<Block> group = new ArrayList<>();
                read(part, part.held.size(), cells, (block, fraction) -> {
                    group.add(block);
                    if (group.size() == most) {
                        run.accept(group);
                        group.clear();
                    }
                });
                run.accept(group);
            }
        }
        for (int g = 0; sums != null && g < map.grids(); g++) {
            int unknown = (map.start(g) + g) * outputs;
            Arrays.fill(sums, unknown, unknown + outputs, 0);
        }
        return all;
    }

    private void run(
            List<Block> blocks,
            double @Nullable [] weights,
            int outputs,
            Work work,
            double @Nullable [] sums,
            double[] totals) {
        double[][] values = new double[blocks.size()][];
        double[][] ofBlocks = new double[blocks.size()][totals.length];
        workers.each(blocks.size(), b -> {
            Block block = blocks.get(b);
            double[] own = new double[block.rows * outputs];
            if (weights != null) {
                for (int g = 0; g < map.grids(); g += TOGETHER) {
                    int end = Math.min(map.grids(), g + TOGETHER);
                    if (outputs == 1 && end - g == TOGETHER) {
                        addScores(block.slots, g * block.rows, block.rows, values(g), weights, own);
                    } else {
                        addScores(block, g, end, weights, outputs, own);
                    }
                }
            }
            work.accept(block, own, ofBlocks[b]);
            values[b] = own;
        });
        for (double[] ofBlock : ofBlocks) {
            Vectors.add(1, ofBlock, totals);
        }
        if (sums != null) {
            workers.each((map.grids() + TOGETHER - 1) / TOGETHER, k -> {
                int g = k * TOGETHER;
                int end = Math.min(map.grids(), g + TOGETHER);
                for (int b = 0; b < values.length; b++) {
                    Block block = blocks.get(b);
                    if (outputs == 1 && end - g == TOGETHER) {
                        addSums(block.slots, g * block.rows, block.rows, values(g), values[b], sums);
                    } else {
                        addSums(block, g, end, values[b], outputs, sums);
                    }
                }
            });
        }
    }

    /** Returns the features of some grids, from one on. */
    private double[] values(int grid) {
        double[] values = new double[TOGETHER];
        Arrays.setAll(values, k -> map.value(grid + k));
        return values;
    }

    private void addScores(Block block, int from, int to, double[] weights, int outputs, double[] scores) {
        for (int g = from; g < to; g++) {
            for (int i = 0; i < block.rows; i++) {
                int slot = block.slots[g * block.rows + i] * outputs;
                Vectors.add(map.value(g), weights, slot, scores, i * outputs, outputs);
            }
        }
    }

    private void addSums(Block block, int from, int to, double[] coefficients, int outputs, double[] sums) {
        for (int g = from; g < to; g++) {
            for (int i = 0; i < block.rows; i++) {
                int slot = block.slots[g * block.rows + i] * outputs;
                Vectors.add(map.value(g), coefficients, i * outputs, sums, slot, outputs);
            }
        }
    }

    // Loops over rows are static methods on local arrays, because fields would be read again in every step. They take
    // four grids together, because rows of one cell follow each other, and each of their additions waits for the last.
    private static void addScores(int[] slots, int at, int rows, double[] values, double[] weights, double[] scores) {
        double v0 = values[0];
        double v1 = values[1];
        double v2 = values[2];
        double v3 = values[3];
        int at1 = at + rows;
        int at2 = at1 + rows;
        int at3 = at2 + rows;
        for (int i = 0; i < rows; i++) {
            scores[i] = scores[i]
                    + v0 * weights[slots[at + i]]
                    + v1 * weights[slots[at1 + i]]
                    + v2 * weights[slots[at2 + i]]
                    + v3 * weights[slots[at3 + i]];
        }
    }

    private static void addSums(int[] slots, int at, int rows, double[] values, double[] coefficients, double[] sums) {
        double v0 = values[0];
        double v1 = values[1];
        double v2 = values[2];
        double v3 = values[3];
        int at1 = at + rows;
        int at2 = at1 + rows;
        int at3 = at2 + rows;
        for (int i = 0; i < rows; i++) {
            double a = coefficients[i];
            sums[slots[at + i]] += v0 * a;
            sums[slots[at1 + i]] += v1 * a;
            sums[slots[at2 + i]] += v2 * a;
            sums[slots[at3 + i]] += v3 * a;
        }
    }
}
