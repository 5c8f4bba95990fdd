package org.bochner.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bochner.base.Spelling;
import org.bochner.data.ColumnRange;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelMachine;
import org.bochner.tune.Criterion;
import org.bochner.tune.KernelLearning;
import org.bochner.tune.Sharing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of kernel learning: the parameters to learn, and the objective. */
final class TuningFlags {
    static final String HEADING = "%nLearned parameters and objective%n";

    @Option(
            names = "--method",
            paramLabel = "M",
            description =
                    "How to search. gradient: follow the derivatives of the objective. agop: repeat a fit, and set each"
                            + " column's frequency scale to the root mean square of the fit's derivative along it, in at"
                            + " most five rounds (agop(rounds=5)). agop(full): learn a matrix instead."
                            + " gradient(start=agop): agop, then gradient. [default: gradient]")
    private String method = "gradient";

    @Option(
            names = "--per",
            paramLabel = "P",
            completionCandidates = Words.Sharings.class,
            description =
                    "Learn one length-scale for all columns (one), one per block of columns (block), one per column"
                            + " (column), or each frequency (frequency). [default: column]")
    private String per = "column";

    @Option(
            names = "--blocks",
            paramLabel = "RANGES",
            split = ",",
            description =
                    "Blocks of columns for --per block: ranges such as 0:64,64:128 (counted from 0, end excluded),"
                            + " or names of channels. [default: one block per channel, or the blocks of the kernel's own"
                            + " length-scales]")
    private List<String> blocks = new ArrayList<>();

    @Option(
            names = "--objective",
            paramLabel = "O",
            description = "Objective to minimise: cv(folds=5), validation(share=0.2), loo, gcv, evidence (the marginal"
                    + " likelihood of a Gaussian process), or train (the penalised error on the training rows)."
                    + " [default: cv(folds=5)]")
    private String objective = Criterion.usual().toString();

    @Option(
            names = "--scale-l1",
            paramLabel = "X",
            description =
                    "l1 penalty: X times the sum of the factors by which length-scales became shorter. Columns that"
                            + " reduce the objective by less than X are dropped. The objective of a constant prediction is 1."
                            + " [default: 0]")
    private double l1;

    @Option(
            names = "--scale-l2",
            paramLabel = "X",
            description = "l2 penalty on the same factors; with --per frequency, on the mean squared distance of the"
                    + " frequencies from their initial values. [default: 0]")
    private double l2;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Maximum number of iterations on all rows. [default: 100]")
    private @Nullable Integer iterations;

    @Option(
            names = "--tolerance",
            paramLabel = "T",
            description =
                    "Stop when three iterations together lower the objective by less than this fraction. [default:"
                            + " 1e-4]")
    private @Nullable Double tolerance;

    @Option(
            names = "--no-sample",
            description = "Use all rows from the start, instead of a sample for the first iterations.")
    private boolean noSample;

    /** Returns the method of the search, as it was given. */
    String method() {
        return method;
    }

    /** Returns true if a matrix is learned. */
    boolean learnsMatrix() {
        return searching().learnsMatrix();
    }

    /** Returns kernel learning with this method, of any kernel. */
    private KernelLearning searching() {
        return UsageException.orUsage(
                () -> KernelLearning.of(KernelMachine.of("gaussian")).withMethod(method));
    }

    /** Returns the scales that move together. */
    Sharing sharing() {
        return UsageException.orUsage(() -> Sharing.parse(per));
    }

    /** Returns the objective. */
    Criterion criterion() {
        return UsageException.orUsage(() -> Criterion.parse(objective));
    }

    /** Checks the flags as far as possible without data. */
    void check() {
        Sharing sharing = sharing();
        criterion();
        searching();
        notNegative("--scale-l1", l1);
        notNegative("--scale-l2", l2);
        if (iterations != null && iterations < 0) {
            throw new UsageException("--iterations must be at least 0, got " + iterations);
        }
        if (tolerance != null) {
            notNegative("--tolerance", tolerance);
        }
        if (l1 > 0 && sharing == Sharing.FREQUENCY) {
            throw new UsageException(
                    "--scale-l1 cannot be used with --per frequency, which has no length-scales; use --scale-l2,"
                            + " which keeps frequencies near their initial values, or --per column");
        }
        if (!blocks.isEmpty() && sharing != Sharing.RANGE) {
            throw new UsageException("--blocks needs --per block; add --per block, or remove --blocks");
        }
        for (String block : blocks) {
            if (!block.isEmpty() && !Character.isLetter(block.charAt(0)) && !block.matches("\\d{1,9}:\\d{1,9}")) {
                throw new UsageException(
                        "--blocks must be ranges of columns, such as 0:64,64:128, or names of channels, got '" + block
                                + "'");
            }
        }
    }

    private static void notNegative(String flag, double number) {
        if (!(number >= 0 && number < Double.POSITIVE_INFINITY)) {
            throw new UsageException(flag + " must be at least 0 and finite, got " + Spelling.print(number));
        }
    }

    /** Returns the recipe of kernel learning for a machine and its data. */
    KernelLearning learning(KernelMachine machine, SurveyedSource source) {
        KernelLearning learning = KernelLearning.of(machine)
                .withSharing(sharing())
                .withCriterion(criterion())
                .withMethod(method)
                .withScalePenalty(l1, l2)
                .withSampling(!noSample);
        if (iterations != null) {
            learning = learning.withIterations(iterations);
        }
        if (tolerance != null) {
            learning = learning.withTolerance(tolerance);
        }
        if (sharing() != Sharing.RANGE) {
            return learning;
        }
        return learning.withRanges(blocks.isEmpty() ? source.channels() : blocks(source));
    }

    /** Returns the blocks as ranges of columns; each column must be in one block. */
    private List<ColumnRange> blocks(SurveyedSource source) {
        List<ColumnRange> ranges = blocks.stream()
                .map(text -> range(text, source.channels()))
                .sorted(Comparator.comparingInt(ColumnRange::from))
                .toList();
        int next = 0;
        String last = "";
        for (ColumnRange range : ranges) {
            if (range.to() > source.columns()) {
                throw new UsageException("--blocks: " + range.name() + " exceeds the data; " + source.name() + " has "
                        + source.columns() + " columns, counted from 0");
            }
            if (range.from() < next) {
                throw new UsageException("--blocks: column " + range.from() + " is in " + last + " and in "
                        + range.name() + "; every column must be in one block");
            }
            requireNoGap(next, range.from());
            next = range.to();
            last = range.name();
        }
        requireNoGap(next, source.columns());
        return ranges;
    }

    private static void requireNoGap(int from, int to) {
        if (from < to) {
            throw new UsageException("--blocks: every column must be in a block, and "
                    + (to - from == 1 ? "column " + from + " is" : "columns " + from + " to " + (to - 1) + " are")
                    + " in none; add " + from + ":" + to);
        }
    }

    private static ColumnRange range(String text, List<ColumnRange> channels) {
        for (ColumnRange channel : channels) {
            if (channel.name().equals(text)) {
                return channel;
            }
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            List<String> names = channels.stream().map(ColumnRange::name).toList();
            throw new UsageException("--blocks: " + (text.isEmpty() ? "a block is empty" : "no channel '" + text + "'")
                    + (names.isEmpty()
                            ? "; write ranges of columns, such as 0:64,64:128"
                            : Spelling.hint(text, names)));
        }
        int from = Integer.parseInt(text.substring(0, colon));
        int to = Integer.parseInt(text.substring(colon + 1));
        if (from >= to) {
            throw new UsageException("--blocks: " + text + " has no columns; the end is excluded, as in 0:64,64:128");
        }
        return new ColumnRange(text, from, to);
    }
}
