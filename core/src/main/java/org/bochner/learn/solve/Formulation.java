package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.bochner.learn.Learner;
import org.bochner.learn.discriminant.Priors;
import org.bochner.learn.linear.Loss;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.optimise.ConvexTerm;
import org.jspecify.annotations.Nullable;

/**
 * The optimisation problem of a {@link Learner}: a loss, penalties and a solver, without names and spellings. The
 * penalties are linear in one number, the strength: {@code l1 = fixed.l1 + strength·perStrength.l1}, and likewise for
 * the others.
 *
 * @param loss the loss
 * @param strength the strength; NaN if it is chosen from the data
 * @param perStrength the part of each penalty that is multiplied by the strength
 * @param fixed the part of each penalty that does not depend on the strength
 * @param groups the groups of features with a penalty of their own; null if there is no such penalty
 * @param solver the solver, resolved: never {@link SolverKind#AUTO}
 * @param tolerance at which the solver ends; 0 for the solver's own
 * @param iterations after which the solver ends; 0 for the solver's own
 * @param priors the class probabilities of discriminant analysis, which minimises no loss; null for other learners
 */
public record Formulation(
        Loss loss,
        double strength,
        Shares perStrength,
        Shares fixed,
        @Nullable Grouping groups,
        SolverKind solver,
        double tolerance,
        int iterations,
        @Nullable Priors priors) {
    /** Reads the formulation that a learner holds; set by {@link Learner}, whose users do not see formulations. */
    private static final AtomicReference<@Nullable Function<Learner, Formulation>> READER = new AtomicReference<>();

    /** Sets the function that reads the formulation of a learner; called once by {@link Learner}. */
    public static void setReader(Function<Learner, Formulation> reader) {
        READER.set(reader);
    }

    /** Returns the formulation of a learner. */
    public static Formulation of(Learner learner) {
        return Objects.requireNonNull(READER.get()).apply(learner);
    }

    /** The three penalties. */
    public record Shares(double l1, double l2, double group) {
        /** Returns true if one of the penalties that make weights zero is above 0. */
        public boolean sparse() {
            return l1 > 0 || group > 0;
        }
    }

    /** Returns the formulation with another strength. */
    public Formulation withStrength(double other) {
        return new Formulation(loss, other, perStrength, fixed, groups, solver, tolerance, iterations, priors);
    }

    /** Returns true if the penalties make weights zero. */
    public boolean sparse() {
        return perStrength.sparse() || fixed.sparse();
    }

    /** Returns true for the square loss with the penalty l2 alone. */
    public boolean isRidge() {
        return loss instanceof Loss.HalfSquare && !sparse();
    }

    /** Returns true if the objective has a derivative everywhere: a loss without kinks, and the penalty l2 alone. */
    public boolean isSmooth() {
        return loss.smooth() && !sparse() && priors == null;
    }

    /** Returns what the solver needs from training. */
    public Needs needs() {
        return switch (solver) {
            case DIRECT -> isRidge() ? new Needs.GramOrDual() : new Needs.Gram();
            case CG -> new Needs.RoundedFeatures();
            case STREAM -> new Needs.Stream();
            default -> new Needs.ExactFeatures();
        };
    }

    /** Returns how the strength is found. */
    public PenaltyChoice penaltyChoice() {
        if (!Double.isNaN(strength)) {
            return PenaltyChoice.GIVEN;
        }
        if (priors != null) {
            return PenaltyChoice.STATISTICS;
        }
        return needs() instanceof Needs.GramOrDual ? PenaltyChoice.CROSS_VALIDATION : PenaltyChoice.HELD_OUT_ROWS;
    }

    /** Returns the penalty on half the squared weights, at the strength. */
    public double l2() {
        return perStrength.l2 * strength + fixed.l2;
    }

    /** Returns the penalties at a strength, for the features of a map. */
    Regularizer regularizer(double at, FeatureMap map) {
        return new Regularizer(
                perStrength.l1 * at + fixed.l1,
                perStrength.l2 * at + fixed.l2,
                perStrength.group * at + fixed.group,
                groups == null ? null : groups.of(map));
    }

    /**
     * Returns the penalties with corners, l1 and those of groups, at the strength, as a function of the weights alone:
     * D×outputs, row-major.
     *
     * @param map the map whose features have the weights
     * @param factor the penalties are multiplied by it
     */
    public ConvexTerm corners(FeatureMap map, int outputs, double factor) {
        Regularizer all = regularizer(strength, map);
        int features = map.outputDimension();
        Regularizer corners = new Regularizer(factor * all.l1(), 0, factor * all.group(), all.groups());
        return new ConvexTerm() {
            @Override
            public double value(double[] point) {
                return corners.value(point, features, outputs);
            }

            @Override
            public void proximal(double[] point, double step, double[] out) {
                if (out != point) {
                    System.arraycopy(point, 0, out, 0, point.length);
                }
                double[] steps = new double[outputs];
                Arrays.fill(steps, step);
                corners.soften(out, features, outputs, steps);
            }
        };
    }

    /** Returns when the solver ends; the arguments are the solver's own rule. */
    StoppingRule stopping(double usualTolerance, int usualIterations) {
        return new StoppingRule(
                tolerance > 0 ? tolerance : usualTolerance, iterations > 0 ? iterations : usualIterations);
    }
}
