package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The Python package has the stages and the params of the Java classes. */
@NullUnmarked // JUnit sets fields, and a test that meets null fails
@ExtendWith(LocalSpark.class)
class PythonStagesTest {
    @BeforeAll
    static void start(SparkSession session) {
        Frames.use(session);
    }

    private static final Pattern CLASS = Pattern.compile("class (\\w+)\\(([\\w, ]*)\\):");
    private static final Pattern PARAM = Pattern.compile("    (\\w+) = _(text|texts|whole|flag)\\(\"(\\w+)\",.*");

    @TempDir
    Path folder;

    private static String text() throws IOException {
        try (InputStream in = PythonStagesTest.class.getResourceAsStream("/python/bochner_spark/__init__.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The params of a Python class, with those of its bases. */
    private record PythonClass(List<String> bases, Map<String, String> own) {
        Map<String, String> params(Map<String, PythonClass> all) {
            Map<String, String> params = new TreeMap<>(own);
            bases.stream()
                    .filter(all::containsKey)
                    .forEach(base -> params.putAll(all.get(base).params(all)));
            return params;
        }
    }

    private static Map<String, PythonClass> classes() throws IOException {
        Map<String, PythonClass> classes = new LinkedHashMap<>();
        Map<String, String> own = Map.of();
        for (String line : text().lines().toList()) {
            Matcher start = CLASS.matcher(line);
            Matcher param = PARAM.matcher(line);
            if (start.matches()) {
                own = new LinkedHashMap<>();
                classes.put(
                        start.group(1), new PythonClass(List.of(start.group(2).split(", ")), own));
            } else if (param.matches()) {
                assertEquals(param.group(1), param.group(3));
                own.put(param.group(1), param.group(2));
            }
        }
        return classes;
    }

    private static Map<String, String> params(PipelineStage stage) {
        Map<String, String> params = new TreeMap<>();
        Arrays.stream(stage.params()).forEach(param -> params.put(param.name(), kind(param)));
        return params;
    }

    private static String kind(Param<?> param) {
        if (param instanceof IntParam || param instanceof LongParam) {
            return "whole";
        }
        return param instanceof BooleanParam ? "flag" : param instanceof StringArrayParam ? "texts" : "text";
    }

    @Test
    void haveTheParamsOfJava() throws IOException {
        Dataset<Row> rows = Frames.vectors(40);
        KernelClassifier classifier = new KernelClassifier().setFeatures(10);
        KernelRegressor regressor = new KernelRegressor().setFeatures(10).setLabelCol("value");
        FeatureMapper mapper = new FeatureMapper().setFeatures(10);
        List<PipelineStage> stages = new ArrayList<>(List.of(classifier, regressor, mapper));
        stages.add(classifier.fit(rows));
        stages.add(regressor.fit(rows));
        stages.add(mapper.fit(rows));
        Map<String, PythonClass> classes = classes();
        for (PipelineStage stage : stages) {
            String name = stage.getClass().getSimpleName();
            assertTrue(text().contains("    \"" + name + "\",\n"), name + " is not in __all__");
            assertEquals(params(stage), classes.get(name).params(classes), name);
        }
    }

    @Test
    void areValidPython() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("stages.py"), text());
        Process python;
        try {
            python = new ProcessBuilder("python3", "-m", "py_compile", file.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            Assumptions.abort("there is no python3: " + e.getMessage());
            return;
        }
        String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, python.waitFor(), output);
    }
}
