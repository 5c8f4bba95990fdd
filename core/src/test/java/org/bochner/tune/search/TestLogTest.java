package org.bochner.tune.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestLogTest {
    private static final Rung RUNG = new Rung(0, 100, 1);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @Test
    void theSearchGoesOnIfTheFileCannotBeWritten() {
        FoldTest test = new FoldTest(Losses.NONE, 1, "failed");
        TestLog log = TestLog.create(folder.resolve("log"), Map.of("seed", 1), (candidate, rung, fold) -> test);
        assertSame(test, log.test(Candidate.USUAL, RUNG, 0));
        assertNull(log.failure());
        // As with a full disk, writing fails from now on.
        log.close();
        assertSame(test, log.test(Candidate.USUAL, RUNG, 1));
        assertSame(test, log.test(Candidate.USUAL, RUNG, 2));
        assertNotNull(log.failure());
        assertEquals(0, log.reused());
    }
}
