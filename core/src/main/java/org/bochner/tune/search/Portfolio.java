package org.bochner.tune.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The candidates that are tried first: configurations that win on tables with rough targets, useless columns and long
 * tails, with histograms and with sparse counts. The most promising ones for their cost come first.
 */
public final class Portfolio {
    static final String STANDARD = "standard";
    static final String QUANTILE = "quantile";
    static final String CLIPPED = "clip(share=0.01) then standard";
    static final String LOGARITHMS = "log1p then standard";
    static final String SHARES = "unit-l1";
    static final String DIRECTIONS = "unit-l2";
    static final String GAUSSIAN = "gaussian";
    static final String MATERN = "matern(nu=0.5)";
    static final String SMOOTHER = "matern(nu=1.5)";
    static final String STABLE = "stable(p=1.5, q=1)";
    static final String LAPLACIAN = "laplacian";
    static final String AGOP = "agop";
    static final String MATRIX = "agop(full)";
    static final String GRADIENT = "gradient";
    static final String BINNING = "binning";
    static final String GRIDS = "binning(grids=128)";

    private final TableFacts facts;
    private final List<Candidate> candidates = new ArrayList<>();

    private Portfolio(TableFacts facts) {
        this.facts = facts;
    }

    /** Returns the candidates for a table, of which the first is the default of the command {@code train}. */
    public static List<Candidate> of(TableFacts facts) {
        Portfolio portfolio = new Portfolio(facts);
        portfolio.candidates.add(Candidate.USUAL);
        if (facts.sparse()) {
            portfolio.addSparse();
        } else if (facts.sets()) {
            portfolio.addSets();
        } else {
            portfolio.addDense();
        }
        return List.copyOf(new LinkedHashSet<>(portfolio.candidates));
    }

    /** Returns the scaling of the linear model. */
    static String linearScaling(TableFacts facts) {
        return facts.sparse() ? "none" : STANDARD;
    }

    private void add(Candidate candidate) {
        candidates.add(candidate);
    }

    private Candidate values(String kernel, String scaling) {
        return facts.withKernelValues(kernel).withScaling(scaling);
    }

    private static Candidate features(String kernel, int features, String scaling) {
        return Candidate.of(kernel, Candidate.AUTO_MAP)
                .withMap(Candidate.AUTO_MAP, features)
                .withScaling(scaling);
    }

    private void learned(Candidate candidate, String method) {
        boolean possible = method.equals(MATRIX)
                ? facts.learnsMatrix()
                : (method.equals(GRADIENT) || method.equals(Candidate.SAMPLED_RATIOS))
                        ? facts.learnsByDerivatives()
                        : facts.learnsColumns();
        if (possible) {
            candidates.add(candidate.withMethod(method));
        }
    }

    private void addDense() {
        int features = facts.exact() ? 1000 : 2000;
        Candidate rough = values(STABLE, STANDARD);
        // The kernel of grids is open, so that categories take part by their levels.
        Candidate grids = Candidate.USUAL.withMap(BINNING, 0);
        add(rough);
        if (facts.takesGrids()) {
            add(grids);
        }
        // The ratios of the scales are learned once for all kernels and maps.
        learned(rough, Candidate.SAMPLED_RATIOS);
        addSampledFeatures(features);
        if (facts.takesGrids()) {
            learned(grids, GRADIENT);
        }
        learned(values(SMOOTHER, STANDARD), Candidate.SAMPLED_RATIOS);
        learned(values(SMOOTHER, QUANTILE), Candidate.SAMPLED_RATIOS);
        learned(rough, AGOP);
        if (facts.takesGrids()) {
            learned(grids, AGOP);
        }
        learned(values(STABLE, QUANTILE), Candidate.SAMPLED_RATIOS);
        if (facts.nonNegative()) {
            learned(values(STABLE, LOGARITHMS), Candidate.SAMPLED_RATIOS);
        }
        exactScales(SMOOTHER, QUANTILE);
        exactScales(STABLE, STANDARD);
        learned(features(GAUSSIAN, 500, STANDARD), GRADIENT);
        if (facts.mayBeHistograms()) {
            add(Candidate.of("exp-chi2", facts.exact() ? Candidate.EXACT : Candidate.AUTO_MAP)
                    .withScaling(SHARES));
        }
        add(values(STABLE, QUANTILE));
        learned(values(MATERN, STANDARD), MATRIX);
        learned(features(GAUSSIAN, features, STANDARD), AGOP);
        add(values(MATERN, STANDARD));
        add(facts.exact() ? values(GAUSSIAN, STANDARD) : features(GAUSSIAN, 4000, STANDARD));
        learned(values(MATERN, QUANTILE), Candidate.SAMPLED_RATIOS);
        learned(values(STABLE, CLIPPED), AGOP);
        learned(values(SMOOTHER, STANDARD), MATRIX);
        learned(values("stable(p=2, q=0.7)", STANDARD), Candidate.SAMPLED_RATIOS);
        if (facts.mayBeHistograms()) {
            add(Candidate.of("chi2", Candidate.AUTO_MAP).withScaling(SHARES));
        }
        learned(features(GAUSSIAN, features, STANDARD), MATRIX);
    }

    /** Adds maps whose time grows with the rows alone, with the ratios of scales that exact machines have learned. */
    private void addSampledFeatures(int features) {
        if (!facts.fewRows()) {
            learned(Candidate.of(STABLE, TableFacts.landmarks(1000)).withScaling(STANDARD), Candidate.SAMPLED_RATIOS);
        }
        if (facts.takesGrids()) {
            learned(Candidate.of(LAPLACIAN, BINNING).withScaling(STANDARD), Candidate.SAMPLED_RATIOS);
        }
        learned(features(GAUSSIAN, features, STANDARD), Candidate.SAMPLED_RATIOS);
    }

    /** Adds a candidate whose scales are learned from the kernel values between all rows, if they are few. */
    private void exactScales(String kernel, String scaling) {
        if (facts.fewRows()) {
            learned(values(kernel, scaling), GRADIENT);
        }
    }

    private void addSparse() {
        add(Candidate.linear(DIRECTIONS));
        if (facts.nonNegative()) {
            add(Candidate.of("chi2", Candidate.AUTO_MAP).withScaling(SHARES));
            add(Candidate.of("intersection", Candidate.AUTO_MAP).withScaling(SHARES));
            add(Candidate.of("exp-chi2", Candidate.AUTO_MAP).withScaling(SHARES));
            add(Candidate.of("hellinger", Candidate.AUTO_MAP).withScaling(SHARES));
        }
        add(features(GAUSSIAN, 2000, DIRECTIONS));
        add(Candidate.linear("standard(uncentred)"));
        add(features(GAUSSIAN, 2000, "standard(uncentred)"));
        add(values(GAUSSIAN, DIRECTIONS));
        add(values(LAPLACIAN, "none"));
        if (facts.classes()) {
            add(Candidate.linear(DIRECTIONS).withLearner("logistic"));
            add(Candidate.linear(DIRECTIONS).withLearner(Variations.SQUARED_HINGE));
        }
    }

    private void addSets() {
        add(features(GAUSSIAN, 2000, STANDARD));
        add(features("matern(nu=1.5)", 2000, STANDARD));
        if (facts.mayBeHistograms()) {
            add(Candidate.of("chi2", Candidate.AUTO_MAP).withScaling(SHARES));
            add(features("exp-chi2", 2000, SHARES));
        }
        add(features(GAUSSIAN, 4000, STANDARD));
    }
}
