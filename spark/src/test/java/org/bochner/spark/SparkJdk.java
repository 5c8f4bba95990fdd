package org.bochner.spark;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips all tests of this module, which JUnit finds by a service file, on a JDK where Spark does not start. */
public final class SparkJdk implements ExecutionCondition {
    private static final AtomicBoolean SAID = new AtomicBoolean();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        int version = Runtime.version().feature();
        if (version < 24) {
            return ConditionEvaluationResult.enabled("Spark starts on JDK " + version);
        }
        String reason = "Spark tests skipped on JDK " + version
                + ": Hadoop 3.4.2 fails with \"getSubject is not supported\" on JDK 24 and newer.";
        if (!SAID.getAndSet(true)) {
            System.out.println(reason);
        }
        return ConditionEvaluationResult.disabled(reason);
    }
}
