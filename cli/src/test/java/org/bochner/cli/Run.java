package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bochner.base.Json;

/**
 * One run of the command, and what came of it.
 *
 * @param code the exit code
 * @param out what was written to stdout
 * @param err what was written to stderr
 */
record Run(int code, String out, String err) {
    private static final String REPOSITORY = System.getProperty("bochner.repository", "..");

    static final Path DIGITS = Path.of(REPOSITORY, "samples", "digits.csv.gz");

    static {
        // The launcher says where the samples are.
        System.setProperty("bochner.home", REPOSITORY);
    }

    /** Runs the command within this process, which saves the start of a virtual machine. */
    static Run here(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = texts(arguments).toArray(String[]::new);
        int code = Main.commandLine(words)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        return new Run(code, out.toString(), err.toString());
    }

    /** Runs the command as a process of its own. */
    static Run process(Object... arguments) {
        return processWithInput(new byte[0], arguments);
    }

    /** Runs the command as a process that reads the bytes from its stdin. */
    static Run processWithInput(byte[] input, Object... arguments) {
        try {
            ProcessBuilder builder = new ProcessBuilder(commandLine(List.of(), arguments));
            // Tests leave nothing in the user's folders.
            builder.environment().put("BOCHNER_DESIGNS", "off");
            return finish(builder.start(), input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What starts the command: the Java and the class path of this test. */
    static List<String> commandLine(List<String> machineFlags, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // These runs are short, so that compiling better than needed costs more than it gains.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx512m",
                // The manifest of the command's jar says so too; newer JDKs warn without it.
                "--enable-native-access=ALL-UNNAMED",
                "-Dbochner.home=" + REPOSITORY,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(machineFlags);
        command.add(Main.class.getName());
        command.addAll(texts(arguments));
        return command;
    }

    private static List<String> texts(Object... arguments) {
        List<String> texts = new ArrayList<>();
        for (Object argument : arguments) {
            texts.add(argument.toString());
        }
        return texts;
    }

    /** Gives a process its input and waits for its end. */
    static Run finish(Process process, byte[] input) throws IOException {
        CompletableFuture<byte[]> out = CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()));
        CompletableFuture<byte[]> err = CompletableFuture.supplyAsync(() -> readAll(process.getErrorStream()));
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input);
        } catch (IOException e) {
            // A process that fails early does not read its input, and that is its right.
        }
        try {
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                fail("the command did not end within two minutes");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
        return new Run(process.exitValue(), text(out.join()), text(err.join()));
    }

    private static byte[] readAll(java.io.InputStream stream) {
        try (stream) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Fails unless the run worked. */
    Run worked() {
        assertEquals(Main.WORKED, code, () -> "stderr was: " + err);
        return this;
    }

    /**
     * Fails unless the run ended with the code, a message for people with all of the given texts in it, and nothing on
     * stdout.
     */
    Run refused(int expectedCode, String... texts) {
        assertEquals(expectedCode, code, () -> "stdout was: " + out + "stderr was: " + err);
        String message = err.lines()
                .filter(line -> line.startsWith("bochner: "))
                .findFirst()
                .orElseGet(() -> fail("no line of stderr starts with 'bochner: ': " + err));
        for (String text : texts) {
            assertTrue(message.contains(text), () -> "'" + text + "' is not in: " + message);
        }
        assertFalse(err.contains("\tat "), () -> "there is a stack trace: " + err);
        assertFalse(message.contains("xception"), () -> "the message talks of exceptions: " + message);
        assertEquals("", out, "stdout is for data");
        return this;
    }

    /** What was printed, a line each. */
    List<String> lines() {
        return out.lines().toList();
    }

    /** The one JSON object that was printed. */
    Map<?, ?> json() {
        byte[] bytes = out.getBytes(StandardCharsets.UTF_8);
        try {
            return assertInstanceOf(Map.class, Json.read(bytes, 0, bytes.length));
        } catch (IOException e) {
            throw new AssertionError("stdout is not JSON: " + out, e);
        }
    }

    /** A number of the JSON object that was printed. */
    double number(String key) {
        Object value = json().get(key);
        return assertInstanceOf(Number.class, value, () -> key + " is " + value).doubleValue();
    }

    /** A number of a JSON object. */
    static double number(Object object, String key) {
        Object value = assertInstanceOf(Map.class, object).get(key);
        return assertInstanceOf(Number.class, value, () -> key + " is " + value).doubleValue();
    }

    /** An object within a JSON object. */
    static Map<?, ?> object(Object object, String key) {
        return assertInstanceOf(Map.class, assertInstanceOf(Map.class, object).get(key), key);
    }

    /** A list of the JSON object that was printed. */
    List<?> list(String key) {
        return assertInstanceOf(List.class, json().get(key), key);
    }
}
