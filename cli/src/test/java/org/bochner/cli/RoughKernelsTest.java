package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels whose frequencies have heavy tails. */
class RoughKernelsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path steps;

    @BeforeEach
    void writeRows() throws IOException {
        steps = Rings.write(
                folder.resolve("steps.csv"),
                "first,second,height",
                120,
                i -> Rings.x(i, 0) + "," + Rings.x(i, 1) + "," + (Math.floor(4 * Rings.x(i, 0)) + 0.5 * Rings.x(i, 1)));
    }

    private Run train(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("train", steps, "--holdout", 0.2));
        arguments.addAll(List.of(more));
        return Run.here(arguments.toArray());
    }

    @Test
    void areLearnedExactlyAndSaved() {
        Path model = folder.resolve("m.bochner");
        Run trained = train("--kernel", "stable(p=1.5, q=1)", "--model", model).worked();
        assertTrue(trained.err().contains("note: map none: the kernel is rough"), trained.err());
        assertTrue(trained.err().contains("--map fourier is faster"), trained.err());
        Run inspected = Run.here("inspect", model).worked();
        assertTrue(inspected.out().contains("stable(p=1.5, q=1, sigma="), inspected.out());
        Run evaluated = Run.here("evaluate", model, steps, "--json").worked();
        assertTrue(evaluated.number("rmse") < 0.5, evaluated.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fourier         | stable(p=1.5, q=1, sigma=0.5)",
                "landmarks(40)   | stable(p=1.5, q=1, sigma=0.5)",
                "orthogonal      | stable(p=2, q=0.5, sigma=0.5)",
                "none            | matern(nu=0.05, sigma=0.5)"
            })
    void haveEveryMap(String map, String kernel) {
        Run run = train("--kernel", kernel, "--map", map, "--json").worked();
        assertEquals(kernel, run.json().get("kernel"));
        assertTrue(run.number("rmse") < 1, run.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stable(p=1, q=1.5) | auto       | take q=1, or p=2",
                "stable(p=2.5)      | auto       | take p=2",
                "stable(q=NaN)      | auto       | take q=1.5",
                "stable(p=1.5)      | orthogonal | take fourier or quasi",
                "stable(q=0.1)      | fourier    | --map landmarks takes every q"
            })
    void areRefusedWithAnAlternative(String kernel, String map, String remedy) {
        train("--kernel", kernel, "--map", map).refused(2, remedy);
    }

    /** The learned model has random features, and {@code train} would choose an exact machine. */
    @Test
    void learnedScalesNameTheirMap() {
        Run run = Run.here(
                        "learn-kernel", steps, "--kernel", "laplacian", "--features", 40, "--iterations", 1, "--json")
                .worked();
        assertTrue(String.valueOf(run.json().get("again")).contains(" --map fourier "), run.out());
    }
}
