package org.bochner.spark;

import java.util.Optional;
import org.bochner.base.BochnerException;

/**
 * A row that was not there, or had other values, when the rows were surveyed. Sources that are not deterministic, such as a
 * column of {@code rand()} or files that are written meanwhile, give other rows in each pass.
 */
final class ChangedTable extends BochnerException {
    private static final long serialVersionUID = 1L;

    ChangedTable(String name, String found) {
        super(name + ": the table changed between two passes: " + found + "; cache it or write it first");
    }

    /** Returns the failure of a task that caused a failure of a job, as this process would have thrown it. */
    static Optional<BochnerException> cause(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            // Remedies are not sent between processes.
            if (each instanceof ChangedTable changed) {
                return Optional.of(new BochnerException(changed.problem(), failure));
            }
            if (each == each.getCause()) {
                break;
            }
        }
        return Optional.empty();
    }
}
