package org.bochner.model.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringTokenizer;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.State;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.DataIdentity;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.SparseRows;
import org.bochner.data.cell.Cells;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.learn.Learner;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.map.landmark.NoMap;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text files in which LIBSVM saves models: support vector machines of two classes, and of regression. The result
 * is an exact machine whose rows are the support vectors.
 *
 * <p>Versions of LIBSVM with additive kernels write names of their own; those of the histogram intersection, chi-squared,
 * Jensen-Shannon and Hellinger kernels that are in use are known here. Values are rounded to float32, as all rows are.
 *
 * <p>Reference: Chang and Lin, LIBSVM: a library for support vector machines, 2011.
 */
public final class LibsvmModel {
    private static final String START = "svm_type";

    /** The bytes that predictions take per column: lists of the support vectors by column, and rows. */
    private static final double BYTES_PER_COLUMN = 32;

    /** Enough for blank lines before the header. */
    private static final int LONGEST_START = 1 << 12;

    /** Enough for every word of a header. */
    private static final int LONGEST_LABELS = 1 << 16;

    private final String name;
    private final int least;
    private final int mostColumns =
            (int) Math.min(Integer.MAX_VALUE - 1, MemoryBudget.spare().bytes() / BYTES_PER_COLUMN);
    private final Map<String, List<String>> header = new HashMap<>();
    private final Map<String, Long> lines = new HashMap<>();
    private long line;
    private long lastHeaderLine;
    private int rows;
    private int entries;
    private int largest = -1;
    private int smallest = Integer.MAX_VALUE;
    private double[] coefficients = new double[64];
    private int[] starts = new int[65];
    private int[] indices = new int[1024];
    private float[] values = new float[1024];

    private LibsvmModel(String name, int least) {
        this.name = name;
        this.least = least;
    }

    /** Returns true if a file begins as a LIBSVM model does. */
    public static boolean matches(Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            String start = new String(in.readNBytes(LONGEST_START), StandardCharsets.ISO_8859_1);
            return start.stripLeading().startsWith(START);
        } catch (IOException e) {
            // The reader of model files says what is wrong.
            return false;
        }
    }

    /**
     * Reads a model.
     *
     * @param least the number of columns; more if the support vectors have more. Support vectors are 0 in further columns
     * @throws BochnerException if the file is damaged, or if it holds a model that is not supported
     */
    public static ModelParts read(Path path, int least) {
        LibsvmModel model = new LibsvmModel(path.toString(), least);
        try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
            model.readHeader(reader);
            Kernel kernel = model.kernel();
            model.readRows(reader, kernel);
            return model.parts(kernel);
        } catch (NoSuchFileException e) {
            throw DataException.in(model.name, "no such model file", e);
        } catch (IOException e) {
            throw DataException.in(model.name, "cannot read the model: " + e.getMessage(), e);
        } catch (DataException e) {
            throw e;
        } catch (BochnerException e) {
            throw DataException.in(model.name, e.problem(), e, e.remedies().toArray(Remedy[]::new));
        } catch (IllegalArgumentException e) {
            throw DataException.in(model.name, String.valueOf(e.getMessage()), e);
        }
    }

    private DataException problem(String text, Remedy... remedies) {
        return DataException.at(name, line, text, remedies);
    }

    /** Returns a problem at the line of a key of the header. */
    private DataException problemOf(String key, String text, Remedy... remedies) {
        return DataException.at(name, lines.getOrDefault(key, lastHeaderLine), text, remedies);
    }

    private void readHeader(BufferedReader reader) throws IOException {
        while (true) {
            String text = reader.readLine();
            line++;
            if (text == null) {
                throw problem("the file ends before the line 'SV'", Remedy.advice("copy the whole model file"));
            }
            if (text.length() > LONGEST_LABELS) {
                throw problem("a line of the header has " + text.length() + " characters");
            }
            lastHeaderLine = line;
            if (text.isBlank()) {
                continue;
            }
            List<String> words = List.of(text.trim().split("\\s+"));
            if (words.get(0).equals("SV")) {
                return;
            }
            lines.putIfAbsent(words.get(0), line);
            if (header.put(words.get(0), words.subList(1, words.size())) != null) {
                throw problem("'" + words.get(0) + "' is given twice");
            }
        }
    }

    private List<String> words(String key) {
        List<String> words = header.get(key);
        if (words == null || words.isEmpty()) {
            throw problemOf(key, "the header has no '" + key + "'", Remedy.advice("copy the whole model file"));
        }
        return words;
    }

    private double number(String key) {
        return number(key, words(key).get(0), lines.getOrDefault(key, lastHeaderLine));
    }

    private double number(String what, String text, long at) {
        try {
            double number = Double.parseDouble(text);
            if (Math.abs(number) < Double.POSITIVE_INFINITY) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw DataException.at(name, at, what + " must be a finite number, got '" + text + "'");
    }

    private int count(String key) {
        double number = number(key);
        if (!(number >= 1 && number <= Integer.MAX_VALUE && number == Math.rint(number))) {
            throw problemOf(
                    key,
                    key + " must be a positive whole number, got '" + words(key).get(0) + "'");
        }
        return (int) number;
    }

    private boolean classifies() {
        String type = words("svm_type").get(0);
        return switch (type) {
            case "c_svc", "nu_svc" -> true;
            case "epsilon_svr", "nu_svr" -> false;
            case "one_class" ->
                throw problemOf(
                        "svm_type",
                        "a one-class machine predicts no classes or numbers",
                        Remedy.advice("give a model of svm_type c_svc, nu_svc, epsilon_svr or nu_svr"));
            default ->
                throw problemOf(
                        "svm_type",
                        "unknown svm_type '" + type + "'",
                        Remedy.advice("give a model of svm_type c_svc, nu_svc, epsilon_svr or nu_svr"));
        };
    }

    private Kernel kernel() {
        String type = String.join("", words("kernel_type"));
        return switch (type.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT)) {
            case "linear" -> Kernels.linear();
            case "intersection", "histogramintersection", "inter", "inters", "hik", "min", "minkernel" ->
                Kernels.intersection();
            case "chi2", "chisquare", "chisquared", "additivechi2" -> Kernels.chi2();
            case "js", "jensenshannon" -> Kernels.jensenShannon();
            case "hellinger", "bhattacharyya" -> Kernels.hellinger();
            case "rbf" -> Kernels.gaussian(1 / Math.sqrt(2 * positive("gamma")));
            case "polynomial" -> Kernels.polynomial(count("degree"), positive("gamma"), notNegative("coef0"));
            default ->
                throw problemOf(
                        "kernel_type",
                        "the kernel_type '" + type + "' is not supported",
                        Remedy.advice("train with the kernel linear or rbf, or an intersection or chi2 kernel"));
        };
    }

    private double positive(String key) {
        double number = number(key);
        if (!(number > 0)) {
            throw problemOf(key, key + " must be positive, got '" + words(key).get(0) + "'");
        }
        return number;
    }

    private double notNegative(String key) {
        double number = number(key);
        if (!(number >= 0)) {
            throw problemOf(
                    key, key + " must not be negative, got '" + words(key).get(0) + "'");
        }
        return number;
    }

    private void readRows(BufferedReader reader, Kernel kernel) throws IOException {
        boolean classes = classifies();
        int classCount = header.containsKey("nr_class") ? count("nr_class") : 2;
        if (classes && classCount != 2) {
            throw problemOf(
                    "nr_class",
                    "the model has " + classCount + " classes, which LIBSVM tells apart by votes between pairs of them;"
                            + " votes are not a sum of curves",
                    Remedy.advice("train one model per class, the class against all others, with labels 1 and -1"));
        }
        int total = count("total_sv");
        if (words("rho").size() != 1) {
            throw problemOf("rho", "rho must be one number, got " + words("rho").size());
        }
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
            line++;
            if (!text.isBlank()) {
                if (rows == total) {
                    throw problem("there are more support vectors than total_sv says, " + total);
                }
                add(text, kernel);
            }
        }
        if (rows < total) {
            throw problem(
                    "the file ends after " + rows + " of " + total + " support vectors",
                    Remedy.advice("copy the whole model file"));
        }
        if (largest < 0) {
            throw problem("the support vectors have no values");
        }
        if (classes && header.containsKey("nr_sv")) {
            requireSum(total);
        }
    }

    private void requireSum(int total) {
        double sum = 0;
        for (String word : words("nr_sv")) {
            sum += number("nr_sv", word, lines.getOrDefault("nr_sv", lastHeaderLine));
        }
        if (sum != total) {
            throw problemOf(
                    "nr_sv", "the sum of nr_sv '" + String.join(" ", words("nr_sv")) + "' must be total_sv, " + total);
        }
    }

    private void add(String text, Kernel kernel) {
        StringTokenizer words = new StringTokenizer(text);
        String first = words.nextToken();
        if (first.indexOf(':') >= 0) {
            throw problem("a support vector must begin with its coefficient, got '" + first + "'");
        }
        if (rows == coefficients.length) {
            coefficients = Arrays.copyOf(coefficients, 2 * rows);
            starts = Arrays.copyOf(starts, 2 * rows + 1);
        }
        coefficients[rows] = number("the coefficient", first, line);
        int before = -1;
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            int colon = word.indexOf(':');
            int index = colon > 0 ? index(word.substring(0, colon)) : -1;
            if (index < 0) {
                throw problem("'" + shortened(word) + "' is not index:value; only models of two classes, or of"
                        + " regression, can be read");
            }
            if (index <= before) {
                throw problem("the indices of a support vector must ascend, got " + index + " after " + before);
            }
            before = index;
            float value = (float) number("the value of index " + index, word.substring(colon + 1), line);
            if (!Float.isFinite(value)) {
                throw problem("the value of index " + index + " must be within ±3.4e38 (float32)");
            }
            add(index, value, kernel);
        }
        rows++;
        starts[rows] = entries;
    }

    private static String shortened(String word) {
        return word.length() <= 40 ? word : word.substring(0, 40) + "...";
    }

    private int index(String text) {
        if (!text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        String digits = text.replaceFirst("^0+(?=.)", "");
        // Ten digits fit into a long.
        if (digits.length() > 10 || Long.parseLong(digits) > mostColumns) {
            throw problem("index " + shortened(digits) + " is too large: at most " + mostColumns
                    + " columns fit into the memory that may be used");
        }
        return Integer.parseInt(digits);
    }

    private void add(int index, float value, Kernel kernel) {
        try {
            kernel.requireValue(value, index);
        } catch (BochnerException e) {
            throw problem("index " + index + ": " + e.problem());
        }
        if (entries == indices.length) {
            indices = Arrays.copyOf(indices, Math.multiplyExact(2, entries));
            values = Arrays.copyOf(values, indices.length);
        }
        indices[entries] = index;
        values[entries++] = value;
        largest = Math.max(largest, index);
        smallest = Math.min(smallest, index);
    }

    private ModelParts parts(Kernel kernel) {
        // LIBSVM counts from 1; some programs write files that count from 0.
        int base = smallest == 0 ? 0 : 1;
        int columns = Math.max(least, largest + 1 - base);
        if (columns > mostColumns) {
            throw DataException.in(
                    name,
                    columns + " columns are too many: at most " + mostColumns
                            + " fit into the memory that may be used");
        }
        int[] places = new int[entries];
        Arrays.setAll(places, e -> indices[e] - base);
        SparseRows support =
                SparseRows.of(rows, columns, Arrays.copyOf(starts, rows + 1), places, Arrays.copyOf(values, entries));
        double[] weights = Arrays.copyOf(coefficients, rows);
        double intercept = -number("rho");
        Labels labels = new Labels.Numbers(List.of("target"));
        Calibration calibration = null;
        if (classifies()) {
            List<String> given = words("label").stream().map(this::className).toList();
            if (given.size() != 2 || given.get(0).equals(given.get(1))) {
                throw problemOf("label", "label must name two classes, got '" + String.join(" ", words("label")) + "'");
            }
            // LIBSVM's decision is positive for the first label; a score is positive for the second class.
            boolean ascending = label(given.get(0)) < label(given.get(1));
            labels = new Labels.Classes(ascending ? given : List.of(given.get(1), given.get(0)));
            calibration = calibration(ascending);
            if (ascending) {
                Arrays.setAll(weights, i -> -weights[i]);
                intercept = -intercept;
            }
        }
        return new ModelParts(
                new Transformer(Scalings.identity(columns), new LandmarkMap(kernel, support, LandmarkForm.RAW)),
                new LinearModel(rows, 1, weights, new double[] {intercept}),
                labels,
                Precision.FLOAT64,
                Encoding.ofSupportVectors(columns, base, labels),
                record(kernel),
                calibration,
                null,
                false);
    }

    /** Returns a label as the readers of data spell it: 1 for +1 and 1.0. */
    private String className(String label) {
        return Cells.canonical(label(label));
    }

    private double label(String text) {
        return number("label", text, lines.getOrDefault("label", lastHeaderLine));
    }

    /** Returns the probabilities 1/(1 + exp(A·decision + B)) of the first label; null if the model has none. */
    private @Nullable Calibration calibration(boolean firstIsNegative) {
        if (!header.containsKey("probA") && !header.containsKey("probB")) {
            return null;
        }
        double slope = -number("probA");
        double offset = number("probB");
        if (!(slope >= 0)) {
            throw problemOf(
                    "probA",
                    "probA is positive, so that the probability of a class falls as its decision value grows; such"
                            + " probabilities are not supported",
                    Remedy.advice("remove the lines probA and probB to predict by decision values"));
        }
        State state = State.of("platt")
                .with("classes", 2)
                .with("slopes", new double[] {slope})
                .with("offsets", new double[] {firstIsNegative ? offset : -offset});
        return Calibration.load(state, 2);
    }

    private TrainingRecord record(Kernel kernel) {
        return new TrainingRecord(
                DataIdentity.UNKNOWN,
                0,
                Kernels.recipe(kernel.toString()),
                new NoMap(null),
                Learner.parse(classifies() ? "svm" : "svr"),
                Double.NaN,
                null,
                false,
                Map.of(),
                new Seed(1),
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                TrainingRecord.libraryVersion(),
                SavedRecord.today());
    }
}
