package org.bochner.spark;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;
import org.apache.spark.sql.AnalysisException;
import org.bochner.base.BochnerException;

/** Says failures of Spark in one line. */
final class SparkFailures {
    private static final Pattern FILE = Pattern.compile("while reading file (\\S+?)\\.(?:\\s|$)");
    private static final Pattern MALFORMED = Pattern.compile("Malformed CSV record: (.*?)(?: SQLSTATE|\\R|$)");

    private SparkFailures() {}

    /** Returns the message of a failure; empty for those that Spark did not cause. */
    static Optional<String> explain(Throwable failure) {
        boolean ofSpark = false;
        Throwable cause = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String type = each.getClass().getName();
            ofSpark |= each instanceof SparkException
                    || each instanceof AnalysisException
                    || type.startsWith("org.apache.spark.")
                    || type.startsWith("org.apache.hadoop.");
            cause = each;
            if (each == each.getCause()) {
                break;
            }
        }
        if (!ofSpark && !stopped(failure)) {
            return Optional.empty();
        }
        if (stopped(failure)) {
            return Optional.of("interrupted: Spark was stopped; no file was written");
        }
        if (cause instanceof BochnerException known) {
            return Optional.of(known.problem());
        }
        Optional<String> malformed = malformed(failure);
        if (malformed.isPresent()) {
            return malformed;
        }
        String message = String.valueOf(cause.getMessage());
        if (message.contains("A master URL must be set")) {
            return Optional.of(
                    "no master is set; start the command with spark-submit --master local[*], or on a cluster");
        }
        return Optional.of("Spark: " + firstLine(message) + " (--debug prints the stack trace)");
    }

    /** Returns what is wrong with a row of a CSV file, which Spark reads with mode FAILFAST. */
    private static Optional<String> malformed(Throwable failure) {
        String file = "";
        String record = null;
        for (Throwable each = failure; each != null; each = each == each.getCause() ? null : each.getCause()) {
            String message = String.valueOf(each.getMessage());
            Matcher read = FILE.matcher(message);
            file = file.isEmpty() && read.find() ? read.group(1) + ": " : file;
            Matcher malformed = MALFORMED.matcher(message);
            record = malformed.find() ? malformed.group(1).strip() : record;
        }
        return record == null
                ? Optional.empty()
                : Optional.of(file + "a row has too many or too few cells, or a quoted line end, which --option"
                        + " multiLine=true reads: " + firstLine(record));
    }

    private static boolean stopped(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("SparkContext was shut down") || message.contains("stopped SparkContext");
    }

    private static String firstLine(String message) {
        String line = message.strip().split("\\R", 2)[0];
        return line.length() > 400 ? line.substring(0, 400) + "..." : line;
    }
}
