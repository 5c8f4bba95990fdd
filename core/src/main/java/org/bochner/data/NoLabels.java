package org.bochner.data;

/** The labels of a source that has none. */
record NoLabels() implements Labels {
    @Override
    public int targets() {
        return 0;
    }
}
