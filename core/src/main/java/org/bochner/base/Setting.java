package org.bochner.base;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A setting that a {@link Remedy} may name. The library names it as Java code does; the command line has its own names. */
public enum Setting {
    CALIBRATION("KernelMachine.withCalibration"),
    CATEGORICAL("DataOptions.withCategorical", "", "(List.of(%s))"),
    CATEGORY_FEATURES("DataOptions.withCategoryFeatures"),
    CHANNEL("DataOptions.withChannel", "name, file"),
    CHARSET("DataOptions.withCharset", "charset", "(Charset.forName(%s))"),
    COLUMNS("DataOptions.withColumns", "number"),
    COMPONENTS("KernelMachine.withComponents"),
    /** The most bytes of compressed or piped data that are copied to a file of the library's own. */
    COPY_LIMIT("the system property bochner.copy.limit"),
    CRITERION("KernelLearning.withCriterion"),
    DATE_FEATURES("DataOptions.withDateFeatures"),
    DECIMAL("DataOptions.withDecimal"),
    DELIMITER("DataOptions.withDelimiter", "character"),
    FEATURES("KernelMachine.withFeatures"),
    FORMAT("DataOptions.withFormat"),
    GROUP("DataOptions.withGroup"),
    HEADER("DataOptions.withHeader"),
    /** The largest size of the heap of the virtual machine, in MiB. */
    HEAP("the JVM option -Xmx", "", "%sm"),
    IGNORED("DataOptions.withIgnored", "", "(List.of(%s))"),
    JOINT("MultipleKernels.withJointScales(true)"),
    KERNEL("KernelMachine.of"),
    LABEL("DataOptions.withLabel", "column"),
    LABELS_FILE("DataOptions.withLabelsFile", "file"),
    LANDMARKS("KernelMachine.withLandmarks", "rows"),
    LEARNED_SCALES("MultipleKernels.withLearnedScales(true)"),
    LEARNER("KernelMachine.withLearner"),
    LIBSVM_COLUMNS("KernelModel.loadLibsvm", "file, columns"),
    MAP("KernelMachine.withMap"),
    MEMORY("KernelMachine.withMemory"),
    METHOD("KernelLearning.withMethod"),
    MISSING("DataOptions.withMissingFilled(true)"),
    MISSING_INDICATORS("DataOptions.withMissingIndicators(true)"),
    NORM("MultipleKernels.withNorm"),
    NO_LABEL("DataOptions.withLabel(\"none\")"),
    NO_OUTPUT_HEADER("PredictionWriter.withHeader(false)"),
    PLAIN("MultipleKernels.withPlainSolution(true)"),
    POSITIVE("DataOptions.withPositive"),
    PRECISION("KernelMachine.withPrecision"),
    RANGE("DesignProblem.of", "kernel, ranges, columns, relative"),
    SCALE_L1("KernelLearning.withScalePenalty"),
    SCALE_L2("KernelLearning.withScalePenalty"),
    SCALING("KernelMachine.withScaling"),
    SCORES("KernelModel.score"),
    SEARCH_ALL_ROWS("KernelLearning.withSampling(false)"),
    SEED("KernelMachine.withSeed", "", "(new Seed(%sL))"),
    SET("DataOptions.withSet"),
    START("KernelMachine.withStart"),
    STEPS("MultipleKernels.withSteps"),
    SUBSAMPLE("Holdout.sample", "rows, number, seed"),
    TASK("DataOptions.withTask"),
    TEST_LABELS_FILE("DataOptions.withLabelsFile", "file"),
    TEXT("DataOptions.withText", "", "(List.of(%s))"),
    TEXT_FEATURES("DataOptions.withTextFeatures"),
    UNCERTAINTY("KernelMachine.withUncertainty"),
    UNIVERSAL("DesignProblem.of without ranges"),
    UNSEEN("DataOptions.withUnseenAsZeros(true)");

    private final String name;
    private final String parameter;
    private final String argument;

    Setting(String name) {
        this(name, "");
    }

    Setting(String name, String parameter) {
        this(name, parameter, "(%s)");
    }

    /**
     * Creates a setting.
     *
     * @param name the name that users of the library know, which is a method in most cases
     * @param parameter the parameters of the method, printed where a remedy gives no value; empty to print the name alone
     * @param argument the format of a value after the name
     */
    Setting(String name, String parameter, String argument) {
        this.name = name;
        this.parameter = parameter;
        this.argument = argument;
    }

    /** Returns the setting with a value as Java code, for example {@code DataOptions.withHeader(true)}. */
    String inJava(@Nullable Object value) {
        if (value == null) {
            return parameter.isEmpty() ? name : name + "(" + parameter + ")";
        }
        return name + String.format(Locale.ROOT, argument, literal(value));
    }

    private static String literal(Object value) {
        if (value instanceof Enum<?> constant) {
            Class<?> type = constant.getDeclaringClass();
            return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.') + "."
                    + constant.name();
        }
        return value instanceof String text
                ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
                : value.toString();
    }
}
