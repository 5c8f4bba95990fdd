package org.bochner.tune.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Candidates that are tried after the portfolio: variations of the best ones, in one or two choices, and some that are
 * drawn at random. Their order depends on the seed and the results alone.
 */
final class Variations {
    static final String SQUARED_HINGE = "svm(loss=squared-hinge)";

    /** Drawn anew this often before the space counts as used up. */
    private static final int MOST_DRAWS = 200;

    private static final int LEADERS = 3;

    /** One candidate in this many is drawn without regard to the best ones. */
    private static final int RANDOM_SHARE = 4;

    private static final List<String> ROUGH = List.of(
            Portfolio.STABLE,
            "stable(p=1.5, q=0.7)",
            "stable(p=2, q=0.7)",
            "stable(p=1, q=0.7)",
            "stable(p=1.2, q=1)",
            Portfolio.MATERN,
            Portfolio.LAPLACIAN);

    private static final List<String> SMOOTH =
            List.of(Portfolio.GAUSSIAN, "matern(nu=1.5)", "matern(nu=2.5)", "rational-quadratic", "cauchy");

    private static final List<String> OF_HISTOGRAMS = List.of("exp-chi2", "exp-intersection", "exp-hellinger");

    private static final List<@Nullable String> DENSE_SCALINGS = scalings(
            null,
            Portfolio.STANDARD,
            Portfolio.STANDARD,
            Portfolio.QUANTILE,
            Portfolio.QUANTILE,
            Portfolio.CLIPPED,
            "clip(deviations=4) then standard",
            "robust",
            "min-max",
            Portfolio.LOGARITHMS);

    private static final List<@Nullable String> SPARSE_SCALINGS =
            scalings(null, "none", Portfolio.DIRECTIONS, Portfolio.SHARES, "standard(uncentred)");

    private final TableFacts facts;
    private final Seed seed;
    private int drawn;

    Variations(TableFacts facts, Seed seed) {
        this.facts = facts;
        this.seed = seed;
    }

    private static List<@Nullable String> scalings(@Nullable String... names) {
        List<@Nullable String> list = new ArrayList<>();
        for (String name : names) {
            list.add(name);
        }
        return list;
    }

    /**
     * Returns the next candidates; fewer than asked for if the space is used up.
     *
     * @param best the best candidates so far, the best one first
     * @param seen the candidates that were tried; the new ones are added
     */
    List<Candidate> next(int count, List<Candidate> best, Set<Candidate> seen) {
        List<Candidate> next = new ArrayList<>();
        for (int draw = 0; draw < MOST_DRAWS && next.size() < count; draw++) {
            RandomStream stream = seed.derive(drawn++).stream();
            boolean random = best.isEmpty() || stream.nextInt(RANDOM_SHARE) == 0;
            Candidate candidate =
                    random ? drawn(stream) : varied(best.get(stream.nextInt(Math.min(LEADERS, best.size()))), stream);
            if (allowed(candidate) && seen.add(candidate)) {
                next.add(candidate);
            }
        }
        return next;
    }

    private static <T extends @Nullable Object> T one(List<T> list, RandomStream stream) {
        return list.get(stream.nextInt(list.size()));
    }

    private Candidate drawn(RandomStream stream) {
        return withScaling(withMethod(withMap(kernel(stream), stream), stream), stream);
    }

    private Candidate varied(Candidate leader, RandomStream stream) {
        Candidate varied = leader;
        int changes = 1 + stream.nextInt(2);
        for (int change = 0; change < changes; change++) {
            varied = switch (stream.nextInt(5)) {
                case 0 -> sameMap(varied, kernel(stream), stream);
                case 1 -> withMap(varied, stream);
                case 2 -> withMethod(varied, stream);
                case 3 -> facts.classes() ? withLearner(varied, stream) : withScaling(varied, stream);
                default -> withScaling(varied, stream);
            };
        }
        return varied;
    }

    private Candidate kernel(RandomStream stream) {
        boolean histograms = facts.mayBeHistograms() && stream.nextInt(5) == 0;
        List<String> kernels = histograms ? OF_HISTOGRAMS : stream.nextInt(5) < 3 ? ROUGH : SMOOTH;
        return Candidate.of(one(kernels, stream), Candidate.AUTO_MAP);
    }

    /** Returns a candidate with another kernel, and a map for it if its own does not fit. */
    private Candidate sameMap(Candidate candidate, Candidate other, RandomStream stream) {
        Candidate changed = candidate.withKernel(other.kernel());
        boolean keeps =
                !candidate.map().startsWith("binning") && !candidate.map().equals(Candidate.AUTO_MAP);
        return keeps ? changed : withMap(changed, stream);
    }

    private boolean isRough(Candidate candidate) {
        return candidate.kernel() != null && ROUGH.contains(candidate.kernel());
    }

    private Candidate withMap(Candidate candidate, RandomStream stream) {
        String kernel = candidate.kernel();
        if (facts.takesGrids() && stream.nextInt(5) == 0) {
            boolean sampled = Candidate.SAMPLED_RATIOS.equals(candidate.method());
            return candidate
                    .withKernel(sampled ? Portfolio.LAPLACIAN : null)
                    .withMap(one(List.of(Portfolio.BINNING, Portfolio.GRIDS, "binning(grids=256)"), stream), 0);
        }
        Candidate named = kernel == null ? candidate.withKernel(Portfolio.STABLE) : candidate;
        boolean values = isRough(named) || stream.nextInt(3) > 0;
        if (values && facts.exact()) {
            return named.withMap(Candidate.EXACT, 0).withLearner(Candidate.RIDGE);
        }
        if (values && !facts.sets()) {
            return named.withMap(TableFacts.landmarks(1000 << stream.nextInt(3)), 0);
        }
        return named.withMap(Candidate.AUTO_MAP, 1000 << stream.nextInt(3));
    }

    private Candidate withMethod(Candidate candidate, RandomStream stream) {
        List<@Nullable String> methods = new ArrayList<>();
        methods.add(null);
        if (facts.learnsColumns()) {
            methods.add(Portfolio.AGOP);
            methods.add(Portfolio.AGOP);
        }
        if (facts.learnsMatrix()) {
            methods.add(Portfolio.MATRIX);
        }
        if (facts.learnsByDerivatives()) {
            methods.add(Portfolio.GRADIENT);
            methods.add(Candidate.SAMPLED_RATIOS);
            methods.add(Candidate.SAMPLED_RATIOS);
        }
        return candidate.withMethod(one(methods, stream));
    }

    private Candidate withScaling(Candidate candidate, RandomStream stream) {
        return candidate.withScaling(one(facts.sparse() ? SPARSE_SCALINGS : DENSE_SCALINGS, stream));
    }

    private static Candidate withLearner(Candidate candidate, RandomStream stream) {
        boolean features = !candidate.isExact() && !candidate.map().startsWith("binning");
        return features
                ? candidate.withLearner(one(List.of(Candidate.RIDGE, "logistic", SQUARED_HINGE), stream))
                : candidate;
    }

    /** Returns false for candidates that the library refuses, or whose time is known to be wasted. */
    private boolean allowed(Candidate candidate) {
        String kernel = candidate.kernel();
        String method = candidate.method();
        boolean auto = candidate.map().equals(Candidate.AUTO_MAP);
        boolean grids = candidate.map().startsWith("binning");
        if (auto && isRough(candidate)) {
            // Random features of rough kernels have large errors.
            return false;
        }
        if (method == null) {
            return true;
        }
        if (kernel == null ? !grids : OF_HISTOGRAMS.contains(kernel)) {
            return false;
        }
        return switch (method) {
            case Portfolio.GRADIENT ->
                candidate.isExact() ? facts.fewRows() : grids || (auto && candidate.features() <= 1000);
            case Candidate.SAMPLED_RATIOS -> kernel != null && (!grids || kernel.equals(Portfolio.LAPLACIAN));
            case Portfolio.MATRIX -> !grids && !isProduct(candidate);
            default -> true;
        };
    }

    private static boolean isProduct(Candidate candidate) {
        return candidate.kernel() != null
                && (candidate.kernel().equals("cauchy") || candidate.kernel().equals(Portfolio.LAPLACIAN));
    }
}
