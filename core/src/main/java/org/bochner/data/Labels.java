package org.bochner.data;

import java.util.List;

/** What the targets of a source mean. */
public sealed interface Labels {
    /** How many numbers a row's target has. */
    int targets();

    /** No labels. */
    record None() implements Labels {
        @Override
        public int targets() {
            return 0;
        }
    }

    /** Numbers to be predicted, one or several a row. */
    record Numbers(List<String> names) implements Labels {
        public Numbers {
            names = List.copyOf(names);
        }

        @Override
        public int targets() {
            return names.size();
        }
    }

    /** Classes; a row's target is the index of its class in {@link #names}, or NaN for a class that is not listed. */
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
