package org.bochner.spark;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.bochner.cli.Main;
import org.jspecify.annotations.Nullable;

/**
 * The commands train, evaluate and predict on data that Spark reads:
 *
 * <pre>{@code
 * spark-submit --class org.bochner.spark.Bochner bochner-spark.jar train PATH [OPTION]...
 * }</pre>
 *
 * <p>Exit codes: 0 for success, 1 for failure, 2 for wrong usage.
 */
public final class Bochner {
    private Bochner() {}

    @SuppressWarnings("SystemConsoleNull") // Spark runs on Java 17 and 21, where a console is a terminal.
    public static void main(String[] arguments) {
        if (System.console() != null && System.getProperty("bochner.terminal") == null) {
            System.setProperty("bochner.terminal", "true");
        }
        SparkPlatform platform = platform(null, arguments);
        int code = Main.run(platform, tabled(arguments));
        platform.close();
        System.exit(code);
    }

    /** Runs a command on a session; returns the exit code. */
    static int run(SparkSession session, PrintWriter out, PrintWriter err, String... arguments) {
        SparkPlatform platform = platform(session, arguments);
        try {
            return Main.run(platform, out, err, tabled(arguments));
        } finally {
            platform.close();
        }
    }

    private static SparkPlatform platform(@Nullable SparkSession session, String... arguments) {
        return new SparkPlatform(session, "bochner " + String.join(" ", arguments));
    }

    /** Replaces {@code --table NAME} by the argument {@code table:NAME}. */
    private static String[] tabled(String... arguments) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            String flag = arguments[i];
            if (flag.equals("--table") && i + 1 < arguments.length) {
                all.add(ShellFrames.TABLE + arguments[++i]);
            } else if (flag.startsWith("--table=")) {
                all.add(ShellFrames.TABLE + flag.substring("--table=".length()));
            } else {
                all.add(flag);
            }
        }
        return all.toArray(new String[0]);
    }
}
