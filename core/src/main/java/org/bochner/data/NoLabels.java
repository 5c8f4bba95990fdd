package org.bochner.data;

import java.util.List;

/** The labels of a source that has none. */
record NoLabels() implements Labels {
    @Override
    public int targets() {
        return 0;
    }

    @Override
    public List<String> names() {
        return List.of();
    }
}
