package org.bochner.data;

import java.util.List;

/** The meaning of the targets of a source. */
public sealed interface Labels permits Labels.Numbers, Labels.Classes, NoLabels {
    /** Returns the number of targets per row; 0 if there are no labels. */
    int targets();

    /** Returns the names of the classes, or of the numbers; empty if there are no labels. */
    List<String> names();

    /** Returns no labels: rows have 0 targets. */
    static Labels none() {
        return new NoLabels();
    }

    /** Numbers to predict, one or several per row. */
    record Numbers(List<String> names) implements Labels {
        public Numbers {
            names = List.copyOf(names);
        }

        @Override
        public int targets() {
            return names.size();
        }
    }

    /** Classes. A target is the index of the class in {@link #names}, or NaN for a class that is not listed. */
    record Classes(List<String> names) implements Labels {
        public Classes {
            names = List.copyOf(names);
        }

        @Override
        public int targets() {
            return 1;
        }
    }
}
