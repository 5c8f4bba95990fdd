package org.bochner.learn.solve;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.text.Suggestion;
import org.bochner.learn.discriminant.Priors;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.solve.Formulation.Shares;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a learner. The with-methods check their own parameter; {@link #formulation} checks that all
 * parameters go together. {@link #toString} is the spelling.
 *
 * @param ratio the share of l1 in the penalty of an elastic net
 * @param key the penalty that is the strength
 * @param penalties the given penalties, as spelled; an empty one is chosen from the data
 * @param groups the given groups; null if none are given
 * @param refit true if the weights that are not zero are learned again
 * @param solver the given solver
 * @param priors the prior probabilities of classes; only for discriminant analysis
 */
public record LearnerParameters(
        LearnerFamily family,
        Loss loss,
        double ratio,
        PenaltyKind key,
        Map<PenaltyKind, OptionalDouble> penalties,
        @Nullable Grouping groups,
        boolean refit,
        SolverKind solver,
        OptionalDouble tolerance,
        OptionalInt iterations,
        Priors priors) {
    /** Returns the usual parameters of a family. */
    public static LearnerParameters of(LearnerFamily family) {
        return of(family, family.loss());
    }

    private static LearnerParameters of(LearnerFamily family, Loss loss) {
        SolverKind solver = SolverKind.AUTO;
        OptionalDouble tolerance = OptionalDouble.empty();
        OptionalInt iterations = OptionalInt.empty();
        return new LearnerParameters(
                family, loss, 0.5, family.usual(), Map.of(), null, false, solver, tolerance, iterations, Priors.COUNTS);
    }

    /** Returns the parameters with the same loss and the usual penalty, chosen from the data. */
    public LearnerParameters dense() {
        return of(loss instanceof Loss.HalfSquare ? LearnerFamily.RIDGE : family, loss);
    }

    /** Returns the parameters with a penalty, as spelled. */
    public LearnerParameters withPenalty(PenaltyKind kind, double value) {
        String name = requireParameter(kind.toString());
        if (kind == PenaltyKind.C) {
            Require.that(
                    value > 0 && value < Double.POSITIVE_INFINITY,
                    name + ": C must be above 0 and finite, got " + Spelling.print(value));
        } else {
            requireStrength(kind, value);
        }
        return with(kind, OptionalDouble.of(value)).withKey();
    }

    private void requireStrength(PenaltyKind kind, double value) {
        Require.notNegative(family.toString(), kind.toString(), value);
        Require.that(
                kind != PenaltyKind.SHRINKAGE || value <= 1,
                family.toString() + ": shrinkage must be from 0 to 1, got " + Spelling.print(value));
    }

    /** Returns the parameters with a penalty that is chosen from the data. */
    public LearnerParameters withAuto(PenaltyKind kind) {
        requireParameter(kind.toString());
        return with(kind, OptionalDouble.empty()).withKey();
    }

    /** Returns the parameters with another strength; for C, its inverse is spelled. */
    public LearnerParameters withStrength(double strength) {
        requireStrength(key, strength);
        return with(key, OptionalDouble.of(key.convert(strength)));
    }

    private LearnerParameters with(PenaltyKind kind, OptionalDouble value) {
        Map<PenaltyKind, OptionalDouble> changed = new EnumMap<>(PenaltyKind.class);
        changed.putAll(penalties);
        changed.put(kind, value);
        return new LearnerParameters(
                family, loss, ratio, key, changed, groups, refit, solver, tolerance, iterations, priors);
    }

    /**
     * Returns the parameters whose strength is the penalty that is auto; else one that makes weights zero; else the
     * given one; else the usual one.
     */
    private LearnerParameters withKey() {
        List<PenaltyKind> automatic = penalties.entrySet().stream()
                .filter(penalty -> penalty.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        if (family == LearnerFamily.LDA) {
            return this;
        }
        if (family.usual() == PenaltyKind.LAMBDA) {
            Require.that(
                    automatic.isEmpty() || automatic.equals(List.of(PenaltyKind.LAMBDA)),
                    family.toString() + ": only lambda can be auto, not " + join(automatic));
            return this;
        }
        Require.that(automatic.size() <= 1, family.toString(), "one penalty can be auto, not " + join(automatic));
        Stream<PenaltyKind> given = Stream.of(PenaltyKind.GROUP, PenaltyKind.L1, PenaltyKind.L2, PenaltyKind.C)
                .filter(penalties::containsKey);
        PenaltyKind strength =
                Stream.concat(automatic.stream(), given).findFirst().orElse(family.usual());
        return new LearnerParameters(
                family, loss, ratio, strength, penalties, groups, refit, solver, tolerance, iterations, priors);
    }

    private static String join(List<PenaltyKind> penalties) {
        return penalties.stream().map(PenaltyKind::toString).collect(Collectors.joining(" and "));
    }

    public LearnerParameters withRatio(double value) {
        Require.that(
                value >= 0 && value <= 1,
                requireParameter("ratio") + ": ratio, the share of l1 in the penalty, must be from 0 to 1, got "
                        + Spelling.print(value));
        return new LearnerParameters(
                family, loss, value, key, penalties, groups, refit, solver, tolerance, iterations, priors);
    }

    /** Returns the parameters of a support vector machine with the squared hinge loss. */
    public LearnerParameters withSquaredHinge() {
        requireParameter("loss");
        Require.that(family == LearnerFamily.SVM, family + " has no hinge loss; use withSquaredInsensitive");
        return withLoss(new Loss.SquaredHinge());
    }

    /** Returns the parameters of support vector regression with the squared ε-insensitive loss. */
    public LearnerParameters withSquaredInsensitive() {
        requireParameter("loss");
        Require.that(family == LearnerFamily.SVR, family + " has no insensitive loss; use withSquaredHinge");
        requireOneForm(!(loss instanceof Loss.SmoothInsensitive));
        return withLoss(new Loss.SquaredInsensitive(insensitive().epsilon()));
    }

    public LearnerParameters withEpsilon(double epsilon) {
        requireParameter("epsilon");
        return withLoss(insensitive().withEpsilon(epsilon));
    }

    public LearnerParameters withGamma(double gamma) {
        requireParameter("gamma");
        requireOneForm(!(loss instanceof Loss.SquaredInsensitive));
        return withLoss(new Loss.SmoothInsensitive(insensitive().epsilon(), gamma));
    }

    private void requireOneForm(boolean one) {
        Require.that(
                one,
                family.toString(),
                "gamma makes the kinks of the insensitive loss smooth, and loss=squared-insensitive has none; give one of them");
    }

    /** Returns the loss of support vector regression. */
    private Loss.Insensitive insensitive() {
        return (Loss.Insensitive) loss;
    }

    public LearnerParameters withDelta(double delta) {
        requireParameter("delta");
        return withLoss(new Loss.Huber(delta));
    }

    private LearnerParameters withLoss(Loss other) {
        return new LearnerParameters(
                family, other, ratio, key, penalties, groups, refit, solver, tolerance, iterations, priors);
    }

    public LearnerParameters withGroups(Grouping given) {
        requireParameter("groups");
        return new LearnerParameters(
                family, loss, ratio, key, penalties, given, refit, solver, tolerance, iterations, priors);
    }

    public LearnerParameters withPriors(Priors given) {
        requireParameter("priors");
        return new LearnerParameters(
                family, loss, ratio, key, penalties, groups, refit, solver, tolerance, iterations, given);
    }

    public LearnerParameters withRefit() {
        requireParameter("refit");
        return new LearnerParameters(
                family, loss, ratio, key, penalties, groups, true, solver, tolerance, iterations, priors);
    }

    public LearnerParameters withSolver(SolverKind given) {
        requireParameter("solver");
        return new LearnerParameters(
                family, loss, ratio, key, penalties, groups, refit, given, tolerance, iterations, priors);
    }

    public LearnerParameters withTolerance(double value) {
        requireParameter("tolerance");
        Require.that(
                value > 0 && value < 1,
                family.toString() + ": tolerance must be above 0 and below 1, got " + Spelling.print(value));
        OptionalDouble given = OptionalDouble.of(value);
        return new LearnerParameters(
                family, loss, ratio, key, penalties, groups, refit, solver, given, iterations, priors);
    }

    public LearnerParameters withIterations(int value) {
        requireParameter("iterations");
        Require.atLeast(family.toString(), "iterations", value, 1);
        return new LearnerParameters(
                family, loss, ratio, key, penalties, groups, refit, solver, tolerance, OptionalInt.of(value), priors);
    }

    /** Returns the name of the family; fails if it has no such parameter. */
    private String requireParameter(String parameter) {
        if (!family.parameters().contains(parameter)) {
            throw new IllegalArgumentException(
                    family + " has no parameter '" + parameter + "'" + Suggestion.hint(parameter, family.parameters()));
        }
        return family.toString();
    }

    /** Returns the optimisation problem; fails if the parameters do not go together. */
    public Formulation formulation() {
        String name = family.toString();
        Require.that(
                !penalties.containsKey(PenaltyKind.C) || !penalties.containsKey(PenaltyKind.L2),
                name + ": C is 1/l2; give one of them");
        Shares perStrength = perStrength();
        Shares fixed = new Shares(
                fixed(PenaltyKind.L1), fixed(PenaltyKind.L2) + fixed(PenaltyKind.C), fixed(PenaltyKind.GROUP));
        boolean sparse = perStrength.sparse() || fixed.sparse();
        boolean grouped = perStrength.group() > 0 || fixed.group() > 0;
        Require.that(
                grouped || groups == null,
                name + ": groups needs a penalty for them, as in " + name + "(group=auto, groups=" + groups + ")");
        Require.that(sparse || !refit, name, "refit is for penalties that make weights zero, l1 and group");
        OptionalDouble strength = penalties.getOrDefault(key, OptionalDouble.empty());
        return new Formulation(
                loss,
                strength.isPresent() ? key.convert(strength.getAsDouble()) : Double.NaN,
                perStrength,
                fixed,
                grouped && groups == null ? Grouping.PAIRS : groups,
                family == LearnerFamily.LDA ? SolverKind.DIRECT : solver.resolve(name, loss, sparse),
                tolerance.orElse(0),
                iterations.orElse(0),
                family == LearnerFamily.LDA ? priors : null);
    }

    private Shares perStrength() {
        return switch (key) {
            case L1 -> new Shares(1, 0, 0);
            case L2, C -> new Shares(0, 1, 0);
            case GROUP -> new Shares(0, 0, 1);
            case SHRINKAGE -> new Shares(0, 0, 0);
            case LAMBDA ->
                switch (family) {
                    case LASSO -> new Shares(1, 0, 0);
                    case ELASTIC_NET -> new Shares(ratio, 1 - ratio, 0);
                    case GROUP_LASSO -> new Shares(0, 0, 1);
                    default -> new Shares(0, 1, 0);
                };
        };
    }

    /** Returns a penalty that does not depend on the strength; 0 if there is none. */
    private double fixed(PenaltyKind kind) {
        OptionalDouble given = penalties.get(kind);
        return kind == key || given == null ? 0 : kind.convert(given.orElseThrow());
    }

    @Override
    public String toString() {
        List<String> printed = new ArrayList<>();
        if (loss instanceof Loss.SquaredHinge) {
            printed.add("loss=squared-hinge");
        } else if (loss instanceof Loss.SquaredInsensitive) {
            printed.add("loss=squared-insensitive");
        } else if (loss instanceof Loss.Huber huber) {
            printed.add("delta=" + Spelling.print(huber.delta()));
        }
        if (loss instanceof Loss.Insensitive insensitive) {
            printed.add("epsilon=" + Spelling.print(insensitive.epsilon()));
        }
        if (loss instanceof Loss.SmoothInsensitive smooth) {
            printed.add("gamma=" + Spelling.print(smooth.gamma()));
        }
        printed.add(text(key, penalties.getOrDefault(key, OptionalDouble.empty())));
        if (family == LearnerFamily.ELASTIC_NET) {
            printed.add("ratio=" + Spelling.print(ratio));
        }
        penalties.forEach((kind, value) -> {
            if (kind != key) {
                printed.add(text(kind, value));
            }
        });
        if (priors != Priors.COUNTS) {
            printed.add("priors=" + priors);
        }
        Grouping used = formulation().groups();
        if (used != null) {
            printed.add("groups=" + used);
        }
        if (refit) {
            printed.add("refit");
        }
        if (solver != SolverKind.AUTO) {
            printed.add("solver=" + solver);
        }
        // 1e-6, as tolerances are usually written, not 1.0E-6.
        tolerance.ifPresent(value -> printed.add(
                "tolerance=" + Spelling.print(value).replace(".0E", "e").replace('E', 'e')));
        iterations.ifPresent(value -> printed.add("iterations=" + value));
        return family + "(" + String.join(", ", printed) + ")";
    }

    private static String text(PenaltyKind kind, OptionalDouble value) {
        return kind + "=" + (value.isPresent() ? Spelling.print(value.getAsDouble()) : "auto");
    }
}
