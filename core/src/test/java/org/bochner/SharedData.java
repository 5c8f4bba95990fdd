package org.bochner;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Real data sets beside the repository, which tests use where they are at hand. */
public final class SharedData {
    private SharedData() {}

    /** The path of a file; the test is skipped, with this reason, where it is missing. */
    public static String file(String name) {
        Path file = Path.of(System.getProperty("bochner.repository", "."), "..", "shared", "data", name);
        Assumptions.assumeTrue(Files.exists(file), "the shared data set " + name + " is not at hand");
        return file.toString();
    }
}
