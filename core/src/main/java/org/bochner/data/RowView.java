package org.bochner.data;

/** A source that shows another one's rows differently; it is like the other in all that it does not say itself. */
abstract class RowView implements RowSource {
    final RowSource source;

    RowView(RowSource source) {
        this.source = source;
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public int columns() {
        return source.columns();
    }

    @Override
    public long rows() {
        return source.rows();
    }

    @Override
    public Labels labels() {
        return source.labels();
    }

    @Override
    public boolean sparse() {
        return source.sparse();
    }

    @Override
    public boolean grouped() {
        return source.grouped();
    }
}
