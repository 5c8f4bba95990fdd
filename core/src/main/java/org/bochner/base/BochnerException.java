package org.bochner.base;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A failure whose message is written for the person who runs the program: what is wrong, where, and what to do.
 *
 * <p>{@link #getMessage} names settings as Java methods. A program with its own names for them, such as the command line,
 * prints {@link #message(Function)} instead.
 */
public class BochnerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final transient List<Remedy> remedies;

    public BochnerException(String problem, Remedy... remedies) {
        super(Remedy.append(problem, List.of(remedies), Remedy::inJava));
        this.problem = problem;
        this.remedies = List.of(remedies);
    }

    public BochnerException(String problem, @Nullable Throwable cause, Remedy... remedies) {
        this(problem, cause, List.of(remedies));
    }

    BochnerException(String problem, @Nullable Throwable cause, List<Remedy> remedies) {
        super(Remedy.append(problem, remedies, Remedy::inJava), cause);
        this.problem = problem;
        this.remedies = remedies;
    }

    /** Returns what is wrong, and where, without the remedies. */
    public final String problem() {
        return problem;
    }

    /** Returns what users can do about it; empty if nothing is known. */
    public final List<Remedy> remedies() {
        return remedies;
    }

    /**
     * Returns the problem followed by its remedies in the words of another program.
     *
     * @param assignment prints a setting with its value, for example as a flag
     */
    public final String message(Function<Remedy, String> assignment) {
        return message(remedy -> true, assignment);
    }

    /**
     * Returns the problem followed by some of its remedies in the words of another program.
     *
     * @param applies returns true for the remedies that users of the program can apply
     * @param assignment prints a setting with its value, for example as a flag
     */
    public final String message(Predicate<Remedy> applies, Function<Remedy, String> assignment) {
        return Remedy.append(problem, remedies.stream().filter(applies).toList(), assignment);
    }
}
