package org.bochner.spark;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.SparkSession;
import org.bochner.base.Json;
import org.bochner.cli.Main;
import org.bochner.cli.Platform;
import org.jspecify.annotations.NullUnmarked;

/** A run of the command, and data for it. */
@NullUnmarked // JUnit sets fields, and a test that meets null fails
record ShellRun(int code, String out, String err) {
    private interface Command {
        int run(PrintWriter out, PrintWriter err);
    }

    private static ShellRun of(Command command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = command.run(new PrintWriter(out), new PrintWriter(err));
        return new ShellRun(code, out.toString(), err.toString());
    }

    static ShellRun onSpark(SparkSession session, Object... arguments) {
        return of((out, err) -> Bochner.run(session, out, err, texts(arguments)));
    }

    /** Runs the command on files of this machine. */
    static ShellRun onFiles(Object... arguments) {
        return of((out, err) -> Main.run(Platform.files(), out, err, texts(arguments)));
    }

    private static String[] texts(Object... arguments) {
        return java.util.Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
    }

    /** Returns the result of a run that succeeded, or fails with what it said. */
    ShellRun succeeded() {
        if (code != 0) {
            throw new AssertionError("exit code " + code + ": " + err);
        }
        return this;
    }

    Map<?, ?> json() {
        try {
            byte[] bytes = succeeded().out.getBytes(StandardCharsets.UTF_8);
            return (Map<?, ?>) Json.read(bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new AssertionError(out, e);
        }
    }

    /** Returns the numbers of the output, which has a header. */
    double[] numbers() {
        return succeeded().out.lines().skip(1).mapToDouble(Double::parseDouble).toArray();
    }

    /**
     * Writes a table with two numbers, a category, a weight, a number far from 0, and a class that depends on all of them but the
     * weight.
     */
    static Path table(Path file, int rows, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>(List.of("length,width,colour,weight,time,kind"));
        for (int i = 0; i < rows; i++) {
            double length = random.nextGaussian();
            double width = random.nextGaussian();
            String colour = List.of("red", "green", "blue").get(random.nextInt(3));
            double time = 1.7e9 + Math.rint(1000 * random.nextGaussian());
            double score = length * width + (colour.equals("red") ? 0.5 : -0.3) + (time - 1.7e9) / 3000;
            String kind = score + 0.1 * random.nextGaussian() > 0 ? "yes" : "no";
            lines.add(String.format(
                    Locale.ROOT, "%.5f,%.5f,%s,%d,%.0f,%s", length, width, colour, 1 + i % 3, time, kind));
        }
        return Files.write(file, lines);
    }
}
