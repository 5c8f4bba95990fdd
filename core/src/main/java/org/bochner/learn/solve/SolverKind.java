package org.bochner.learn.solve;

import java.util.Locale;
import java.util.Map;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.learn.linear.Loss;

/** The solvers. */
public enum SolverKind {
    /** The solver that fits the loss and the penalties. */
    AUTO,
    /** Solves from the statistics of one pass: the square loss. */
    DIRECT,
    /** Conjugate gradients, without a matrix of the features: the square loss with l2 and many features. */
    CG,
    /** Truncated Newton: smooth losses with l2. */
    NEWTON,
    /** Proximal gradients: smooth losses with l1 or groups. */
    PROXIMAL,
    /** Dual coordinate descent: losses with kinks, with l2. */
    DUAL,
    /** Alternating directions: losses with kinks, with l1 or groups. */
    ADMM,
    /** Stochastic gradients in one or a few passes, without keeping the rows: any loss. */
    STREAM;

    public static SolverKind parse(String text) {
        return Spelling.oneOf("solver", text, values(), Map.of());
    }

    /**
     * Returns the solver for a loss and penalties; fails if this solver does not support them.
     *
     * @param sparse true if a penalty sets weights to zero
     */
    public SolverKind resolve(String learner, Loss loss, boolean sparse) {
        boolean square = loss instanceof Loss.HalfSquare;
        return switch (this) {
            case AUTO -> square ? DIRECT : sparse ? (loss.smooth() ? PROXIMAL : ADMM) : loss.smooth() ? NEWTON : DUAL;
            case DIRECT -> require(learner, square, "the square loss (ridge, lasso, elastic-net, group-lasso)");
            case CG -> require(learner, square && !sparse, "ridge");
            case NEWTON -> require(learner, loss.smooth() && !sparse, "smooth losses with l2 alone");
            case PROXIMAL -> require(learner, loss.smooth(), "smooth losses");
            case DUAL ->
                require(
                        learner,
                        !loss.smooth() && !sparse,
                        "losses with kinks, hinge and epsilon-insensitive, with l2 alone");
            case ADMM -> require(learner, !loss.smooth(), "losses with kinks, hinge and epsilon-insensitive");
            case STREAM -> STREAM;
        };
    }

    private SolverKind require(String learner, boolean fits, String what) {
        Require.that(fits, learner, "solver=" + this + " is for " + what + "; leave solver out to have one that fits");
        return this;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
