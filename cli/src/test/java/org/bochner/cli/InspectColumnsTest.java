package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The columns of the training files, as {@code inspect --columns} shows them. */
class InspectColumnsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private Path model(Object... flags) throws IOException {
        // The mean of 0, ..., 9 is 4.5; every tenth age is missing.
        String rows = IntStream.range(0, 100)
                .mapToObj(i -> (i % 10 == 0 ? "" : Integer.toString(i % 10)) + "," + (i % 3 == 0 ? "Rome" : "Oslo")
                        + ",2024-01-0" + (1 + i % 9) + ",z" + i % 8 + "," + i % 10 + "," + i * i + ","
                        + (i % 10 + 0.5) + "\n")
                .collect(Collectors.joining());
        Path table = Files.writeString(folder.resolve("t.csv"), "age,city,day,zip,size,unused,y\n" + rows);
        Path model = folder.resolve("m.bochner");
        List<Object> words =
                new ArrayList<>(List.of("train", table, "--kernel", "gaussian(sigma=3)", "--features", 20));
        words.addAll(List.of("--ignore", "unused", "--category-features", "hash(buckets=4)", "--model", model));
        words.addAll(Arrays.asList(flags));
        Run.here(words.toArray()).worked();
        return model;
    }

    @Test
    void haveALineEach() throws IOException {
        Path model =
                model("--missing", "indicator", "--date-features", "parts", "--scale", "clip(share=0.1) then standard");
        List<String> lines = Run.here("inspect", model, "--columns").worked().lines();
        int head = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("column "))
                .findFirst()
                .orElseThrow());
        assertEquals(12, lines.size() - head, String.join("\n", lines));
        String shown = String.join("\n", lines.subList(head + 1, lines.size())).replaceAll(" {2,}", "|");
        for (String part : List.of(
                "age|number|0 to 1|mean 5, marked by column 1|clip to ",
                "city|category, one-hot: 2 categories, Oslo, Rome|2 to 3|'Oslo'\n",
                "day|date, 4 parts|4 to 7|mean 2024-01-04\n",
                "|day month|5|clip to 1 .. 1, then (x - 1)\n",
                "zip|category, hashed|8 to 11|most frequent category",
                "size|number|12|mean 4.5|clip to ",
                ", then (x - 4.5) / ",
                "unused|left out|-",
                "y|label|-")) {
            assertTrue(shown.contains(part), part + " is not in\n" + shown);
        }
    }

    @Test
    void areInTheJson() throws IOException {
        Run run = Run.here("inspect", model("--missing", "mean", "--scale", "quantile"), "--columns", "--json")
                .worked();
        List<?> columns = run.list("columnFacts");
        assertEquals(7, columns.size());
        Map<?, ?> age = (Map<?, ?>) columns.get(0);
        assertEquals("number", age.get("type"));
        assertEquals("filled", age.get("missing"));
        assertEquals(5.0, number(age, "fill"));
        Map<?, ?> filled = first(age, "columns");
        Map<?, ?> step = first(filled, "scaling");
        assertEquals("quantile", step.get("step"));
        assertEquals(1.0, number(step, "lowest"));
        assertEquals(9.0, number(step, "highest"));
        assertEquals(List.of("Oslo", "Rome"), ((Map<?, ?>) columns.get(1)).get("levels"));
        assertTrue(!Run.here("inspect", folder.resolve("m.bochner"), "--json")
                .worked()
                .json()
                .containsKey("columnFacts"));
    }

    private static double number(Map<?, ?> object, String key) {
        return ((Number) Objects.requireNonNull(object.get(key), key)).doubleValue();
    }

    private static Map<?, ?> first(Map<?, ?> object, String key) {
        return (Map<?, ?>) ((List<?>) Objects.requireNonNull(object.get(key), key)).get(0);
    }

    @Test
    void ofASparseFileShareALine() throws IOException {
        Path rows = Files.writeString(
                folder.resolve("s.libsvm"),
                IntStream.range(0, 40)
                        .mapToObj(i -> i % 2 + " 1:" + i + " 7:1\n")
                        .collect(Collectors.joining()));
        Path model = folder.resolve("s.bochner");
        Run.here("train", rows, "--kernel", "linear", "--model", model).worked();
        String out = Run.here("inspect", model, "--columns").worked().out();
        assertTrue(out.replaceAll(" {2,}", "|").contains("1..7|numbers of a sparse file|0 to 6|refused"), out);
    }
}
