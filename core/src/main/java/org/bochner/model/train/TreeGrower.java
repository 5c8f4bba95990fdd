package org.bochner.model.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bochner.base.Notes;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.Holdout;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.sample.CountingSource;
import org.bochner.data.sample.KeptRows;
import org.bochner.data.sample.RowPass;
import org.bochner.model.Progress;
import org.bochner.model.SplitTree;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.fit.QuantileSketch;
import org.bochner.stats.ClassWeights;
import org.jspecify.annotations.Nullable;

/**
 * Grows the tree of a {@link TreeRecipe}: the node with the most rows is split until there are enough leaves.
 *
 * <p>Cost per split: a pass over the rows to sample them, one to find the quantiles of their projections, and one to count
 * both sides. Memory: the sample, and a sketch of the projections.
 */
final class TreeGrower {
    /** Rows with which directions are found. */
    private static final int SAMPLE = 4000;

    /** The fewest rows of a leaf: fewer do not determine scales and a penalty. */
    static final int FEWEST_ROWS = 50;

    /** The smallest share of the rows of a split on one side; ties may move many rows to one side. */
    private static final double LEAST_SHARE = 0.2;

    private static final int BLOCK_ROWS = 1024;

    private final TreeRecipe recipe;
    private final RowSource source;
    private final SplitDirections directions;
    private final Seed seed;
    private final Progress progress;
    private final Notes notes;

    TreeGrower(
            TrainingSettings settings,
            TreeRecipe recipe,
            ClassWeights classWeights,
            RowSource source,
            Workers workers,
            Progress progress,
            Notes notes) {
        this.recipe = recipe;
        this.source = source;
        this.progress = progress;
        this.notes = notes;
        seed = settings.seed.derive("tree");
        directions = new SplitDirections(recipe.direction(), settings, classWeights, workers);
    }

    /** A node, with its rows and what was counted of them. */
    private static final class Node {
        final NodeRows rows;
        final Counts counts;
        boolean closed;

        @Nullable
        Split split;

        Node(NodeRows rows, Counts counts) {
            this.rows = rows;
            this.counts = counts;
            closed = counts.constant() || counts.rows < 2 * FEWEST_ROWS;
        }
    }

    /** A split with the nodes below and above. */
    private record Split(NodeRows.Side above, Node belowNode, Node aboveNode) {}

    /**
     * A leaf of the grown tree.
     *
     * @param constant true if all rows have equal targets, or if all rows are equal
     */
    record Leaf(NodeRows rows, boolean constant) {}

    /** The grown tree. */
    record Grown(SplitTree tree, List<Leaf> leaves, long rows) {}

    /** Counts rows. */
    private static final class Counts {
        private long rows;
        private double @Nullable [] first;
        private boolean varies;
        private double @Nullable [] firstRow;
        private double[] row = {};
        private boolean rowsVary;

        void add(RowBlock block, int index) {
            rows++;
            if (!rowsVary) {
                compare(block, index);
            }
            double[] known = first;
            if (known == null) {
                known = new double[block.targets()];
                for (int j = 0; j < known.length; j++) {
                    known[j] = block.target(index, j);
                }
                first = known;
            }
            for (int j = 0; j < known.length && !varies; j++) {
                varies = block.target(index, j) != known[j];
            }
        }

        private void compare(RowBlock block, int index) {
            double[] known = firstRow;
            if (known == null) {
                known = new double[block.columns()];
                row = new double[block.columns()];
                block.copyRow(index, known);
                firstRow = known;
            }
            block.copyRow(index, row);
            rowsVary = !Arrays.equals(known, row);
        }

        /** Returns true if all targets, or all values of each column, are equal. */
        boolean constant() {
            return !varies || !rowsVary;
        }
    }

    Grown grow() {
        progress.report("growing the tree", 0, Double.NaN);
        Counts all = new Counts();
        CountingSource counting = new CountingSource(source);
        RowPass.each(new NodeRows(counting, List.of(), -1), all::add);
        counting.requireTargets();
        counting.noteLabels(notes);
        Node root = new Node(new NodeRows(source, List.of(), all.rows), all);
        List<Node> leaves = new ArrayList<>(List.of(root));
        int number = 0;
        while (leaves.size() < recipe.leaves()) {
            Node largest = null;
            for (Node node : leaves) {
                if (!node.closed && (largest == null || node.counts.rows > largest.counts.rows)) {
                    largest = node;
                }
            }
            if (largest == null) {
                break;
            }
            progress.report("growing the tree", leaves.size(), (double) leaves.size() / recipe.leaves());
            Split split = split(largest, seed.derive(number++));
            if (split == null) {
                largest.closed = true;
                continue;
            }
            largest.split = split;
            int at = leaves.indexOf(largest);
            leaves.set(at, split.belowNode);
            leaves.add(at + 1, split.aboveNode);
        }
        if (leaves.size() < recipe.leaves()) {
            notes.choice(String.format(
                    Locale.ROOT,
                    "the tree has %d of %d leaves: others would have fewer than %d rows, one class or number, or no"
                            + " direction that divides their rows",
                    leaves.size(),
                    recipe.leaves(),
                    FEWEST_ROWS));
        }
        List<SplitTree.Split> splits = new ArrayList<>();
        List<Leaf> grown = new ArrayList<>();
        collect(root, splits, grown);
        return new Grown(new SplitTree(source.columns(), splits), grown, all.rows);
    }

    /** Adds the splits and leaves of a node, and returns its index as that of the next node of a split. */
    private static int collect(Node node, List<SplitTree.Split> splits, List<Leaf> leaves) {
        Split split = node.split;
        if (split == null) {
            leaves.add(new Leaf(node.rows, node.counts.constant()));
            return -leaves.size();
        }
        int index = splits.size();
        SortedMap<Integer, Double> direction = new TreeMap<>();
        for (int k = 0; k < split.above.used().length; k++) {
            direction.put(split.above.used()[k], split.above.weights()[k]);
        }
        splits.add(new SplitTree.Split(direction, split.above.low(), split.above.high(), -1, -1));
        int below = collect(split.belowNode, splits, leaves);
        int above = collect(split.aboveNode, splits, leaves);
        splits.set(index, new SplitTree.Split(direction, split.above.low(), split.above.high(), below, above));
        return index;
    }

    /** Splits a node; null if no direction divides its rows. */
    private @Nullable Split split(Node node, Seed own) {
        long rows = node.counts.rows;
        RowSource chosen = rows <= SAMPLE ? node.rows : Holdout.sample(node.rows, SAMPLE, own);
        RowSource sample = KeptRows.of(chosen, MemoryBudget.spare().bytes());
        Counts sampled = new Counts();
        RowPass.each(sample, sampled::add);
        if (sampled.constant()) {
            return null;
        }
        for (double[] direction : directions.of(sample, own)) {
            int[] used = IntStream.range(0, direction.length)
                    .filter(j -> direction[j] != 0)
                    .toArray();
            double[] weights =
                    Arrays.stream(used).mapToDouble(j -> direction[j]).toArray();
            if (!divides(side(sample, used, weights), sample)) {
                continue;
            }
            NodeRows.Side above = side(node.rows, used, weights);
            Counts[] counts = {new Counts(), new Counts()};
            double[] share = new double[1];
            NodeRows.Side below = above.other();
            RowPass.each(node.rows, (block, i) -> {
                boolean high = above.has(block, i);
                boolean low = below.has(block, i);
                if (low) {
                    counts[0].add(block, i);
                }
                if (high) {
                    counts[1].add(block, i);
                }
                share[0] += high ? low ? 0.5 : 1 : 0;
            });
            double least = Math.min(share[0], rows - share[0]);
            if (least >= LEAST_SHARE * rows && least >= FEWEST_ROWS) {
                return new Split(
                        above,
                        new Node(node.rows.on(below, counts[0].rows), counts[0]),
                        new Node(node.rows.on(above, counts[1].rows), counts[1]));
            }
        }
        return null;
    }

    /** Returns the upper side of the split of rows along a direction. */
    private NodeRows.Side side(RowSource rows, int[] used, double[] weights) {
        QuantileSketch sketch = new QuantileSketch();
        double[] projections = new double[BLOCK_ROWS];
        int[] count = {0};
        Runnable merge = () -> {
            Arrays.sort(projections, 0, count[0]);
            QuantileSketch block = new QuantileSketch();
            for (int i = 0; i < count[0]; i++) {
                block.append(projections[i], 1);
            }
            sketch.merge(block);
            count[0] = 0;
        };
        RowPass.each(rows, (block, i) -> {
            projections[count[0]++] = SplitTree.project(block, i, used, weights);
            if (count[0] == BLOCK_ROWS) {
                merge.run();
            }
        });
        merge.run();
        return new NodeRows.Side(
                used, weights, sketch.quantile(0.5 - recipe.overlap()), sketch.quantile(0.5 + recipe.overlap()), true);
    }

    /** Returns true if each side of a split has a good share of the rows of a sample. */
    private static boolean divides(NodeRows.Side above, RowSource sample) {
        NodeRows.Side below = above.other();
        double[] share = new double[2];
        RowPass.each(sample, (block, i) -> {
            boolean high = above.has(block, i);
            share[0] += high ? below.has(block, i) ? 0.5 : 1 : 0;
            share[1]++;
        });
        return share[0] >= LEAST_SHARE * share[1] && share[0] <= (1 - LEAST_SHARE) * share[1];
    }
}
