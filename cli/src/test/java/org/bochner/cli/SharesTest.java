package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every flag that takes a share takes a percentage too. */
class SharesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            train        | --holdout 0.25                          | --holdout 25%
            train        | --learner lasso --validation 0.2        | --learner lasso --validation 20%
            train        | --pca 0.9                               | --pca 90%
            train        | --calibrate platt(holdout=0.2)          | --calibrate platt(holdout=20%)
            learn-kernel | --objective validation(share=0.2)       | --objective validation(share=20%)
            """)
    void aPercentageIsTheSameShare(String command, String plain, String percent) throws IOException {
        Path data = Rings.csv(folder.resolve("rings.csv"), 120);
        assertEquals(result(command, data, plain), result(command, data, percent));
    }

    private static Map<?, ?> result(String command, Path data, String flags) {
        List<Object> arguments = new ArrayList<>(List.of(command, data, "--features", 10, "--json", "--quiet"));
        if (command.equals("learn-kernel")) {
            arguments.addAll(List.of("--iterations", 1));
        }
        arguments.addAll(List.of((Object[]) flags.strip().split(" ")));
        Map<?, ?> result = Run.here(arguments.toArray()).worked().json();
        // How long it took and how it was asked for may differ.
        result.keySet().removeIf(key -> key.toString().matches(".*([sS]econds|Bytes)|objective|steps|again"));
        return result;
    }
}
