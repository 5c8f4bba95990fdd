package org.bochner.model.train;

import java.util.Locale;
import java.util.Map;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.model.SplitTree;

/**
 * The recipe of a tree of machines.
 *
 * @param direction how rows are split
 * @param leaves the number of leaves, at least 1; fewer if the rows cannot be split further
 * @param overlap the share of the rows of a split, on each side of the median, that belong to both sides; below 0.5
 */
public record TreeRecipe(Direction direction, int leaves, double overlap) {
    private static final int LEAVES = 8;
    private static final double OVERLAP = 0.05;

    /** What rows are projected on. */
    public enum Direction {
        /** The first eigenvector of the average gradient outer product. */
        AGOP,
        /** The column with the largest entry on its diagonal. */
        COLUMNS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TreeRecipe {
        Require.atLeast(direction.toString(), "leaves", leaves, 1);
        Require.that(
                leaves <= SplitTree.MOST_LEAVES,
                direction + ": leaves must be at most " + SplitTree.MOST_LEAVES + ", got " + leaves);
        Require.that(
                overlap >= 0 && overlap < 0.5,
                direction + ": overlap must be at least 0 and below 0.5, got " + Spelling.print(overlap));
    }

    /** Reads {@code 8}, {@code columns}, {@code agop(leaves=8, overlap=0.1)}. */
    public static TreeRecipe parse(String text) {
        return Spelling.reading(() -> {
            if (text.strip().matches("\\d{1,9}")) {
                return new TreeRecipe(Direction.COLUMNS, Integer.parseInt(text.strip()), OVERLAP);
            }
            Spelling spelling = Spelling.parse("cells", text).allow("leaves", "overlap");
            Direction direction = Spelling.oneOf("cells", spelling.name(), Direction.values(), Map.of());
            return new TreeRecipe(direction, spelling.integer("leaves", LEAVES), spelling.number("overlap", OVERLAP));
        });
    }

    /** Returns the spelling, which {@link #parse} reads. */
    @Override
    public String toString() {
        return direction + "(leaves=" + leaves + ", overlap=" + Spelling.print(overlap) + ")";
    }
}
