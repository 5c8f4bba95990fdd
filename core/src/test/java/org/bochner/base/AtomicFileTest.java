package org.bochner.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static void write(Path target, String text) throws IOException {
        try (AtomicFile file = AtomicFile.create(target)) {
            file.stream().write(text.getBytes(StandardCharsets.UTF_8));
            file.commit();
        }
    }

    @Test
    void appearsWhenItIsCommitted() throws IOException {
        Path target = folder.resolve("file");
        Files.writeString(target, "old");
        try (AtomicFile file = AtomicFile.create(target)) {
            file.stream().write('x');
            assertEquals("old", Files.readString(target));
            file.commit();
        }
        assertEquals("x", Files.readString(target));
        assertEquals(List.of("file"), names());
    }

    @Test
    void leavesNothingBehindWithoutACommit() throws IOException {
        Path target = folder.resolve("file");
        try (AtomicFile file = AtomicFile.create(target)) {
            file.stream().write('x');
        }
        AtomicFile.checkWritable(target);
        assertEquals(List.of(), names());
    }

    @Test
    void replacesWhatALinkPointsTo() throws IOException {
        Path real = Files.createDirectory(folder.resolve("elsewhere")).resolve("real");
        Files.writeString(real, "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        write(link, "new");
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(real));
    }

    @Test
    void refusesALinkThatLeadsToNoFileAndLeavesItAsItWas() throws IOException {
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("gone"));
        DataException nowhere = assertThrows(DataException.class, () -> AtomicFile.checkWritable(dangling));
        assertTrue(String.valueOf(nowhere.getMessage()).contains("symbolic link to"), nowhere.getMessage());
        assertTrue(String.valueOf(nowhere.getMessage()).contains("gone, which does not exist"), nowhere.getMessage());
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("pool"));
        Files.createSymbolicLink(folder.resolve("pool"), Path.of("loop"));
        DataException round = assertThrows(DataException.class, () -> AtomicFile.create(loop));
        assertTrue(String.valueOf(round.getMessage()).contains("leads back to itself"), round.getMessage());
        assertEquals(List.of("dangling", "loop", "pool"), names());
        assertTrue(Files.isSymbolicLink(dangling));
    }

    @Test
    void replacesOneNameOfAFileWithSeveralHardLinks() throws IOException {
        Path first = Files.writeString(folder.resolve("first"), "old");
        Path second = Files.createLink(folder.resolve("second"), first);
        write(second, "new");
        assertEquals("new", Files.readString(second));
        assertEquals("old", Files.readString(first));
    }

    @Test
    void saysWhyItCannotBeWritten() {
        DataException missing = assertThrows(
                DataException.class,
                () -> AtomicFile.checkWritable(folder.resolve("no").resolve("file")));
        assertTrue(String.valueOf(missing.getMessage()).contains("does not exist"), missing.getMessage());
        DataException directory = assertThrows(DataException.class, () -> AtomicFile.checkWritable(folder));
        assertTrue(String.valueOf(directory.getMessage()).contains("is a folder"), directory.getMessage());
    }

    @Test
    void doesNotReplaceADevice() {
        Path device = Path.of("/dev/null");
        assumeTrue(Files.exists(device), "this system has no /dev/null");
        assertThrows(DataException.class, () -> AtomicFile.checkWritable(device));
        assertTrue(!Files.isRegularFile(device));
    }

    private static void writeNow(Path target, String text) {
        try {
            write(target, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void appearsTogetherWithOthersOrNotAtAll() throws IOException {
        Path first = Files.writeString(folder.resolve("first"), "old");
        assertThrows(
                DataException.class,
                () -> AtomicFile.together(() -> {
                    writeNow(first, "new");
                    writeNow(folder.resolve("second"), "new");
                    return AtomicFile.create(folder.resolve("no").resolve("file"));
                }));
        assertEquals("old", Files.readString(first));
        assertEquals(List.of("first"), names());
        int result = AtomicFile.together(() -> {
            writeNow(first, "new");
            writeNow(folder.resolve("second"), "new");
            return 2;
        });
        assertEquals(2, result);
        assertEquals("new", Files.readString(first));
        assertEquals(List.of("first", "second"), names());
    }
}
