package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the program of the document with Scala's own compiler. */
@NullUnmarked // JUnit sets fields, and a test that meets null fails
@ExtendWith(LocalSpark.class)
class ScalaExampleTest {
    private static final Path DOCS = Path.of(System.getProperty("bochner.repository", ".."), "docs");

    @TempDir
    private Path folder;

    @Test
    void programOfTheDocumentCompilesAndRuns(SparkSession spark) throws Exception {
        assumeTrue(hasStages(), "the pipeline stages are not in this build");
        Path source = Files.writeString(folder.resolve("Flowers.scala"), program());
        Path classes = Files.createDirectory(folder.resolve("classes"));
        String messages = compile(source, classes);
        assertTrue(Files.exists(classes.resolve("Flowers.class")), messages);
        assertFalse(messages.contains("error:"), messages);
        Path data = ShellRun.table(folder.resolve("flowers.csv"), 400, 1);
        Path output = folder.resolve("model");
        URL[] urls = {classes.toUri().toURL()};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
            scala.Console$.MODULE$.withOut(new PrintStream(out, true, StandardCharsets.UTF_8), () -> {
                try {
                    String[] arguments = {data.toString(), output.toString()};
                    return loader.loadClass("Flowers")
                            .getMethod("main", String[].class)
                            .invoke(null, (Object) arguments);
                } catch (ReflectiveOperationException e) {
                    throw new LinkageError(e.getMessage(), e);
                }
            });
        }
        String printed = out.toString(StandardCharsets.UTF_8);
        Matcher accuracy = Pattern.compile("accuracy (0\\.\\d+)").matcher(printed);
        assertTrue(accuracy.find(), printed);
        // The product of the columns decides most rows, and a constant is right for about half of them.
        assertTrue(Double.parseDouble(accuracy.group(1)) > 0.6, printed);
        assertTrue(Files.exists(output.resolve("metadata")), printed);
        assertEquals(2, printed.split("only showing top 3 rows", -1).length - 1, printed);
    }

    private static boolean hasStages() {
        try {
            Class.forName("org.bochner.spark.KernelClassifier");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns the program in the document. */
    private static String program() throws IOException {
        Path page = Files.exists(DOCS.resolve("spark-scala.part.md"))
                ? DOCS.resolve("spark-scala.part.md")
                : DOCS.resolve("spark.md");
        Matcher block = Pattern.compile("```scala\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(page));
        assertTrue(block.find(), page.toString());
        return block.group(1);
    }

    /** Compiles a program; returns what the compiler says. */
    private static String compile(Path source, Path classes) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        String[] arguments = {
            "-classpath", System.getProperty("java.class.path"), "-d", classes.toString(), "-Xlint", source.toString()
        };
        scala.Console$.MODULE$.withErr(
                stream,
                () -> scala.Console$.MODULE$.withOut(stream, () -> scala.tools.nsc.Main$.MODULE$.process(arguments)));
        return said.toString(StandardCharsets.UTF_8);
    }
}
