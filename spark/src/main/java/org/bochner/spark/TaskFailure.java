package org.bochner.spark;

import java.io.Serializable;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.row.RowException;
import org.jspecify.annotations.Nullable;

/**
 * A failure that the data cause. It is the result of its task: Spark would run a task that throws again, and rows do not
 * change.
 *
 * @param row the row of a {@link RowException} among all rows, from 0; {@value #NONE} for other failures
 */
record TaskFailure(String problem, List<Advice> remedies, long row, int column) implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final long NONE = -2;

    /** A remedy; its value is a Boolean, a number or a text. */
    private record Advice(
            @Nullable Setting setting, @Nullable Serializable value, String words) implements Serializable {
        private static final long serialVersionUID = 1L;

        static Advice of(Remedy remedy) {
            Object value = remedy.value();
            boolean sent =
                    value == null || value instanceof Boolean || value instanceof Number || value instanceof Enum;
            return new Advice(remedy.setting(), sent ? (Serializable) value : String.valueOf(value), remedy.words());
        }

        Remedy remedy() {
            return new Remedy(setting, value, words);
        }
    }

    static TaskFailure of(BochnerException e) {
        List<Advice> remedies = e.remedies().stream().map(Advice::of).toList();
        return e instanceof RowException found
                ? new TaskFailure(found.reason(), remedies, found.row(), found.column())
                : new TaskFailure(e.problem(), remedies, NONE, -1);
    }

    /**
     * Returns a failure with the problem, remedies and place of the original one: a {@link RowException} if that was one, else a
     * plain {@link BochnerException}, even for one of a subclass.
     */
    BochnerException exception() {
        Remedy[] advice = remedies.stream().map(Advice::remedy).toArray(Remedy[]::new);
        BochnerException thrown = new BochnerException(problem, advice);
        if (row == NONE) {
            return thrown;
        }
        return row < 0 ? RowException.at(column, thrown) : RowException.at(row, column, thrown);
    }
}
