package org.bochner.data;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Suggestion;

/**
 * A source whose rows keep their values but tell only whether they are of one class: index 1 for that class, 0 for all
 * others, which together are named {@code not} and its name. A target that is NaN stays so.
 */
public final class OneAgainstRest extends RowView {
    private final int positive;
    private final Labels.Classes labels;

    private OneAgainstRest(RowSource source, int positive, String name) {
        super(source);
        this.positive = positive;
        this.labels = labels(name);
    }

    /** The view of a source of classes; "+1", "1" and "1.0" name the same. */
    public static OneAgainstRest of(RowSource source, String positive) {
        if (!(source.labels() instanceof Labels.Classes classes)) {
            throw new BochnerException(
                    source.name() + ": there are no classes of which one could be '" + positive + "'");
        }
        String name = Cells.canonical(positive);
        int index = classes.names().indexOf(name);
        if (index < 0) {
            throw new BochnerException(
                    source.name() + ": no class '" + name + "'" + Suggestion.hint(name, classes.names()));
        }
        return new OneAgainstRest(source, index, name);
    }

    static Labels.Classes labels(String positive) {
        return new Labels.Classes(List.of("not " + positive, positive));
    }

    @Override
    public Labels labels() {
        return labels;
    }

    @Override
    public DataIdentity identity() {
        return source.identity().with("positive", labels.names().get(1));
    }

    @Override
    public RowCursor open() {
        RowCursor rows = source.open();
        return new RowCursor() {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean some = rows.next(into, maxRows);
                into.mapTargets(target -> Double.isNaN(target) ? target : target == positive ? 1 : 0);
                return some;
            }

            @Override
            public double progress() {
                return rows.progress();
            }

            @Override
            public void close() {
                rows.close();
            }
        };
    }
}
