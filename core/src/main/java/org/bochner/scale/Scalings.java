package org.bochner.scale;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.base.text.Suggestion;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;

/** Creates scalings, by factory methods or from spellings, and reads saved scalers. */
public final class Scalings {
    private static final Map<String, Function<Spelling, Scaling>> READERS = new LinkedHashMap<>();

    static {
        READERS.put("none", spelling -> alone(spelling, none()));
        READERS.put("standard", spelling -> spelling.allow("uncentred").has("uncentred") ? uncentred() : standard());
        READERS.put("centre", spelling -> alone(spelling, centre()));
        READERS.put("min-max", spelling -> alone(spelling, minMax()));
        READERS.put("unit-l1", spelling -> alone(spelling, unitL1()));
        READERS.put("unit-l2", spelling -> alone(spelling, unitL2()));
        READERS.put("quantile", spelling -> alone(spelling, quantile()));
        READERS.put("robust", Scalings::robust);
        READERS.put("log1p", spelling -> alone(spelling, log1p()));
        READERS.put("clip", Clip::read);
        READERS.put(LinearScaling.NAME, LinearScaling::read);
        READERS.put("divide", spelling -> divide(spelling.allow("by").number("by")));
    }

    /** Names of these scalings in other programs, for suggestions. */
    static final Map<String, String> ALIASES = Suggestion.aliases(Map.of(
            "standard", "standardscaler standardize standardise zscore",
            "min-max", "minmaxscaler minmax01 range",
            "unit-l2", "normalizer normalize normalise l2 l2norm norm",
            "unit-l1", "l1 l1norm",
            "none", "identity raw off no false",
            "quantile", "quantiletransformer rank rankgauss gaussrank normalscores",
            "robust", "robustscaler median iqr",
            "log1p", "log logarithm symlog",
            "clip", "winsorize winsorise winsor",
            "divide(by=255)", "rescale rescaling"));

    private static final Pattern STEPS = Pattern.compile("(?:^|\\s+)" + ChainScaling.THEN + "(?:\\s+|$)");

    private Scalings() {}

    /** Leaves rows as they are: {@code none}. */
    public static Scaling none() {
        return new None();
    }

    /** Returns the scaler that leaves rows of the given number of columns as they are. */
    public static Scaler identity(int columns) {
        return new None().scaler(columns);
    }

    /** Gives columns the mean 0 and the variance 1: {@code standard}. */
    public static Scaling standard() {
        return ColumnScaling.STANDARD;
    }

    /** Gives columns the variance 1 and keeps zeros: {@code standard(uncentred)}. */
    public static Scaling uncentred() {
        return ColumnScaling.UNCENTRED;
    }

    /** Gives columns the mean 0: {@code centre}. */
    public static Scaling centre() {
        return ColumnScaling.CENTRE;
    }

    /** Maps the range of each column to [0, 1]: {@code min-max}. */
    public static Scaling minMax() {
        return ColumnScaling.MIN_MAX;
    }

    /** Divides each row by the sum of its absolute values: {@code unit-l1}. */
    public static Scaling unitL1() {
        return new UnitNorm(1);
    }

    /** Divides each row by its Euclidean norm: {@code unit-l2}. */
    public static Scaling unitL2() {
        return new UnitNorm(2);
    }

    /** Divides all values by one number: {@code divide(by=255)}. */
    public static Scaling divide(double by) {
        return new Divide(by);
    }

    /** Gives columns a normal distribution: {@code quantile}. */
    public static Scaling quantile() {
        return new Quantile();
    }

    /** Subtracts medians and divides by interquartile ranges: {@code robust}. */
    public static Scaling robust() {
        return ColumnScaling.ROBUST;
    }

    private static Scaling robust(Spelling spelling) {
        return spelling.allow("uncentred").has("uncentred") ? ColumnScaling.ROBUST_UNCENTRED : robust();
    }

    /** Replaces x by sign(x)·log(1 + |x|): {@code log1p}. */
    public static Scaling log1p() {
        return new Log1p();
    }

    /** Clips columns to their quantiles at the levels share and 1 − share: {@code clip(share=0.01)}. */
    public static Scaling clip(double share) {
        return new Clip(Clip.By.SHARE, share);
    }

    /**
     * Multiplies rows by a square matrix that is read from a file: {@code linear(file=M.csv)}. The file has one line per row of
     * the matrix, with numbers between commas.
     */
    public static Scaling linear(Path file) {
        return new LinearScaling(file.toString(), null);
    }

    /** Multiplies rows by a square matrix: {@code linear}. */
    public static Scaling linear(double[][] matrix) {
        int n = matrix.length;
        double[] values = new double[LinearScaling.size(n)];
        for (int i = 0; i < n; i++) {
            Require.sameSize(LinearScaling.NAME, "numbers in row " + i + " of the matrix", matrix[i].length, n);
            for (int l = 0; l < n; l++) {
                values[i * n + l] = Require.finite(LinearScaling.NAME, "matrix", matrix[i][l]);
            }
        }
        return new LinearScaling(null, values);
    }

    /**
     * Returns a scaler that multiplies the rows of another one by a square matrix.
     *
     * @param matrix one row per column
     * @throws IllegalArgumentException if the other scaler scales ranges of columns
     */
    public static Scaler multiplied(Scaler first, double[][] matrix) {
        LinearScaling scaling = (LinearScaling) linear(matrix);
        Require.sameSize(LinearScaling.NAME, "rows of the matrix", matrix.length, first.columns());
        LinearScaler last = scaling.scaler(matrix.length);
        if (first.scaling() instanceof None) {
            return last;
        }
        List<AbstractScaler> steps =
                new ArrayList<>(first instanceof ChainScaler chain ? chain.steps() : List.of((AbstractScaler) first));
        steps.add(last);
        return new ChainScaler(ChainScaling.ofFitted(steps), first.columns(), steps);
    }

    /**
     * Writes the matrix of a scaler whose last step multiplies rows by a matrix, and returns the scaling that reads it from
     * there.
     *
     * @throws IllegalArgumentException if the last step of the scaler has no matrix
     */
    public static Scaling writeMatrix(Scaler scaler, Path file) {
        double[][] matrix = scaler.matrix();
        Require.that(matrix.length > 0, scaler.scaling() + ": the last step has no matrix");
        List<Scaling> steps = new ArrayList<>(ChainScaling.stepsOf(scaler.scaling()));
        steps.set(steps.size() - 1, linear(file));
        LinearScaling.write(file, matrix);
        return steps.size() == 1 ? steps.get(0) : new ChainScaling(steps);
    }

    /** Returns the files that the scaling of a spelling reads; empty if the text is no spelling. */
    public static List<Path> files(String spelling) {
        try {
            return parse(spelling, ColumnNames.none()).map(ChainScaling::stepsOf).orElse(List.of()).stream()
                    .filter(LinearScaling.class::isInstance)
                    .flatMap(step -> ((LinearScaling) step).file().stream())
                    .toList();
        } catch (SpellingException | InvalidPathException e) {
            return List.of();
        }
    }

    /** Applies scalings one after the other: {@code log1p then standard}. None may be a sum with columns. */
    public static Scaling chain(List<Scaling> steps) {
        return new ChainScaling(steps);
    }

    /** Scales column ranges in different ways: {@code unit-l1[0:20] + standard[20:60]}. Ranges must not overlap. */
    public static Scaling byRange(Map<ColumnRange, Scaling> scalings) {
        return new ChannelScaling(scalings.entrySet().stream()
                .map(entry -> new ChannelScaling.Term(
                        entry.getValue(), entry.getKey().from(), entry.getKey().to()))
                .toList());
    }

    /** Reads a scaler from the form that {@link Scaler#state} returns. */
    public static Scaler load(State state) {
        Scaling scaling;
        try {
            scaling = parse(state.text("scaling"));
        } catch (IllegalArgumentException | SpellingException e) {
            throw new BochnerException("the saved scaler is of no known kind: " + e.getMessage(), e);
        }
        return scaling.load(state);
    }

    /** Returns the names of all scalings. */
    public static List<String> names() {
        return List.copyOf(READERS.keySet());
    }

    /**
     * Reads a spelling: {@code none}, {@code standard(uncentred)}, {@code divide(by=255)}, a chain of scalings,
     * {@code log1p then standard}, or a sum of scalings or chains with their columns,
     * {@code unit-l1[0:20] + log1p then standard[20:60]}.
     */
    public static Scaling parse(String text) {
        return parse(text, ColumnNames.none()).orElseThrow();
    }

    /**
     * Reads a scaling in which channels and columns may go by their names: {@code unit-l1[colour] + standard[texture]}.
     *
     * @return empty if the scaling is spelled correctly and names columns that are not known yet
     */
    public static Optional<Scaling> parse(String text, ColumnNames names) {
        return Spelling.reading(() -> read(text, names));
    }

    private static Optional<Scaling> read(String text, ColumnNames names) {
        List<String> terms = Spelling.splitTopLevel("scaling", text, '+');
        if (terms.size() == 1 && !text.strip().endsWith("]")) {
            return Optional.of(whole(text));
        }
        List<ChannelScaling.Term> scalings = new ArrayList<>();
        boolean known = true;
        for (String term : terms) {
            known &= addTerms(text, term.strip(), names, scalings);
        }
        return known ? Optional.of(new ChannelScaling(scalings)) : Optional.empty();
    }

    /** Adds the scalings of one term, {@code name(parameters)[columns]}; returns false if its columns are not known yet. */
    private static boolean addTerms(String text, String term, ColumnNames names, List<ChannelScaling.Term> scalings) {
        String owner = "scaling '" + text + "': ";
        if (term.isEmpty()) {
            throw new SpellingException(owner + "expected a scaling on both sides of '+', such as unit-l1[0:20]");
        }
        if (!term.endsWith("]")) {
            throw new SpellingException(owner + "'" + term
                    + "' has no columns; in a sum every scaling needs some, as in " + whole(term) + "[0:20]");
        }
        int open = term.indexOf('[');
        List<ColumnRange> ranges =
                open < 0 ? List.of() : names.resolve(owner, term.substring(open + 1, term.length() - 1));
        if (ranges.isEmpty()) {
            throw new SpellingException(owner + "columns are written [from:to], such as [0:20]; found '"
                    + term.substring(Math.max(0, open)) + "'");
        }
        Scaling scaling = whole(term.substring(0, open));
        boolean known = ranges.stream().allMatch(range -> range.from() < range.to());
        if (known) {
            ranges.forEach(range -> scalings.add(new ChannelScaling.Term(scaling, range.from(), range.to())));
        }
        return known;
    }

    /** Reads a scaling without columns, or a chain of them. */
    private static Scaling whole(String text) {
        String[] steps = STEPS.split(text.strip(), -1);
        if (steps.length == 1) {
            return single(text);
        }
        for (String step : steps) {
            if (step.isEmpty()) {
                throw new SpellingException("scaling '" + text + "': expected a scaling on both sides of '"
                        + ChainScaling.THEN + "', as in log1p then standard");
            }
        }
        return new ChainScaling(Arrays.stream(steps).map(Scalings::single).toList());
    }

    private static Scaling single(String text) {
        Spelling spelling = Spelling.parse("scaling", text);
        Function<Spelling, Scaling> reader = READERS.get(spelling.name());
        if (reader == null) {
            throw Spelling.unknown("scaling", spelling.name(), names(), ALIASES);
        }
        return reader.apply(spelling);
    }

    /** Returns the scaling; fails if the spelling has parameters. */
    private static Scaling alone(Spelling spelling, Scaling scaling) {
        spelling.allow();
        return scaling;
    }
}
