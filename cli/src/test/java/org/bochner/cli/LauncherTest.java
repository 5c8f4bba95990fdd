package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts that start the command. */
class LauncherTest {
    private static final Path REPOSITORY = Path.of(System.getProperty("bochner.repository", ".."));
    private static final Path SHELL = REPOSITORY.resolve("bochner");
    private static final Path WINDOWS = REPOSITORY.resolve("bochner.cmd");

    private static String find(Path script, String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(script));
        assertTrue(matcher.find(), () -> pattern + " is not in " + script);
        return matcher.group(1);
    }

    @Nested
    class BothScripts {
        @Test
        void passTheSameFlagsToJava() throws IOException {
            assertEquals(find(SHELL, "\nflags=\\((-[^)]*)\\)"), find(WINDOWS, "\nset \"flags=(-[^\"]*)\""));
        }

        @Test
        void buildTheCommandAlike() throws IOException {
            assertEquals(find(SHELL, "(mvn -q [^)]*)\\)"), find(WINDOWS, "call (mvn -q .*?) >"));
        }

        @Test
        void saySameThingsWhenSomethingIsMissing() throws IOException {
            for (String start : List.of("no Java found", "Maven is needed", "building the command")) {
                String message = "bochner: (" + start + "[^\"\r\n]*?)(\"| 1>&2)";
                assertEquals(find(SHELL, message), find(WINDOWS, message));
            }
        }

        @Test
        void startTheCommandWithItsArguments() throws IOException {
            assertEquals(
                    "${BOCHNER_OPTS:-} -Dbochner.home=\"$root\" -jar \"$jar\" \"$@\"",
                    find(SHELL, "\"\\$\\{flags\\[@\\]\\}\" (.*)"));
            assertEquals(
                    "%BOCHNER_OPTS% \"-Dbochner.home=%root%\" -jar \"%jar%\" %*", find(WINDOWS, "%flags% (.*?)\r?\n"));
        }

        @Test
        void lookAtTheSameSources() throws IOException {
            String shell = Files.readString(SHELL);
            String windows = Files.readString(WINDOWS);
            for (String module : List.of("core", "cli")) {
                assertTrue(shell.contains("$root/" + module + "/src/main") && windows.contains("(core cli)"), module);
            }
        }
    }

    /** The shell script, with a Java that runs the classes of this test. */
    @Nested
    class InALocale {
        @TempDir
        @SuppressWarnings("NullAway.Init") // JUnit fills it
        private Path folder;

        private Path launcher() throws IOException {
            for (String source : List.of("core/src/main", "cli/src/main", "cli/target/dist", "jdk/bin")) {
                Files.createDirectories(folder.resolve(source));
            }
            for (String file : List.of("pom.xml", "core/pom.xml", "cli/pom.xml", "cli/target/dist/bochner.jar")) {
                Files.writeString(folder.resolve(file), "");
            }
            Files.setLastModifiedTime(
                    folder.resolve("cli/target/dist/bochner.jar"),
                    FileTime.from(Instant.now().plusSeconds(60)));
            List<String> start = Run.commandLine(List.of());
            Path java = folder.resolve("jdk/bin/java");
            Files.writeString(
                    java,
                    "#!/bin/bash\nwhile [ \"$1\" != -jar ]; do shift; done\nshift 2\nexec '" + String.join("' '", start)
                            + "' \"$@\"\n");
            assertTrue(java.toFile().setExecutable(true));
            Path launcher = folder.resolve("bochner");
            Files.copy(SHELL, launcher);
            return launcher;
        }

        private static boolean hasUtf8() throws IOException {
            if (!Files.isExecutable(Path.of("/bin/bash"))) {
                return false;
            }
            Process process = new ProcessBuilder("/bin/bash", "-c", "LC_ALL=C.UTF-8 locale charmap").start();
            return Run.finish(process, new byte[0]).out().strip().equals("UTF-8");
        }

        private void writeData() throws IOException {
            Rings.write(
                    folder.resolve("data.csv"),
                    "x,y,where",
                    40,
                    i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + Rings.label(i) + "\u00e9");
        }

        /** Runs lines of a shell in which {@code $name} has letters beyond ASCII and {@code run} is the script. */
        private Run shell(String setting, String lines) throws IOException {
            // The shell makes the names, because this process may be in such a locale too.
            ProcessBuilder builder = new ProcessBuilder(
                            "/bin/bash",
                            "-c",
                            "name=$'gr\\xc3\\xb6\\xc3\\x9fe'; run() { " + setting + " bash " + launcher()
                                    + " \"$@\"; }; " + lines)
                    .directory(folder.toFile());
            Map<String, String> environment = builder.environment();
            environment.keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
            environment.put("JAVA_HOME", folder.resolve("jdk").toString());
            return Run.finish(builder.start(), new byte[0]).worked();
        }

        @ParameterizedTest
        @ValueSource(strings = {"LC_ALL=xx_YY.UTF-8", "LANG=de_XX.UTF-8", "LC_CTYPE=C", "LANG="})
        void thatIsMissingOrAsciiFilesHaveAnyName(String setting) throws IOException {
            assumeTrue(hasUtf8(), "this system has no UTF-8 locale, or cannot tell");
            writeData();
            Run.here("train", folder.resolve("data.csv"), "--features", 10, "--model", folder.resolve("model.bochner"))
                    .worked();
            Run run = shell(setting, "cp model.bochner \"$name.bochner\"; run inspect \"$name.bochner\"");
            assertTrue(run.out().contains("inner\u00e9"), run.out());
        }

        @Test
        void ofAsciiModelsAndPredictionsHaveAnyName() throws IOException {
            assumeTrue(hasUtf8(), "this system has no UTF-8 locale, or cannot tell");
            writeData();
            Run run = shell(
                    "LC_ALL=C",
                    "cp data.csv \"$name.csv\"; run train \"$name.csv\" --features 10 --model \"$name.bochner\" &&"
                            + " run predict \"$name.bochner\" \"$name.csv\"");
            assertTrue(run.out().contains("gr\u00f6\u00dfe.bochner ("), run.out());
            assertTrue(run.out().contains("inner\u00e9\n"), run.out());
        }
    }
}
