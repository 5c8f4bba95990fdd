package org.bochner.base;

/** A setting that a {@link Remedy} may name. The library names it as Java code does; the command line has its own names. */
public enum Setting {
    CALIBRATION("KernelMachine.withCalibration"),
    CATEGORICAL("DataOptions.withCategorical"),
    CHANNEL("DataOptions.withChannel"),
    CHARSET("DataOptions.withCharset"),
    COLUMNS("DataOptions.withColumns"),
    COMPONENTS("KernelMachine.withComponents"),
    COPY_LIMIT("the system property bochner.copy.limit"),
    CRITERION("KernelLearning.withCriterion"),
    DECIMAL("DataOptions.withDecimal"),
    DELIMITER("DataOptions.withDelimiter"),
    FEATURES("KernelMachine.withFeatures"),
    FORMAT("DataOptions.withFormat"),
    GROUP("DataOptions.withGroup"),
    HEADER("DataOptions.withHeader"),
    /** The largest size of the heap of the virtual machine. */
    HEAP("the JVM option -Xmx"),
    IGNORED("DataOptions.withIgnored"),
    KERNEL("KernelMachine.of"),
    LABEL("DataOptions.withLabel"),
    LABELS_FILE("DataOptions.withLabelsFile"),
    LANDMARKS("KernelMachine.withLandmarks"),
    LEARNER("KernelMachine.withLearner"),
    MAP("KernelMachine.withMap"),
    MEMORY("KernelMachine.withMemory"),
    MISSING("DataOptions.withMissingFilled(true)"),
    POSITIVE("DataOptions.withPositive"),
    PRECISION("KernelMachine.withPrecision"),
    RANGE("DesignProblem.of"),
    SCALE_L1("KernelLearning.withScalePenalty"),
    SCALE_L2("KernelLearning.withScalePenalty"),
    SCALING("KernelMachine.withScaling"),
    SCORES("KernelModel.score"),
    SEED("KernelMachine.withSeed"),
    START("KernelMachine.withStart"),
    STEPS("MultipleKernels.withSteps"),
    TASK("DataOptions.withTask"),
    TEST_LABELS_FILE("DataOptions.withLabelsFile"),
    UNIVERSAL("DesignProblem.of without ranges"),
    UNSEEN("DataOptions.withUnseenAsZeros(true)");

    private final String java;

    Setting(String java) {
        this.java = java;
    }

    /** Returns the name that users of the library know, which is a method in most cases. */
    public String java() {
        return java;
    }
}
