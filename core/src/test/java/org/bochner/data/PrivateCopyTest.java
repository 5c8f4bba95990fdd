package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.bochner.data.bytes.Input;
import org.bochner.data.bytes.PrivateCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be read only once, read several times. */
class PrivateCopyTest {
    private final Path folder;

    PrivateCopyTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /** Repeats a pattern without end and counts the bytes read. */
    private static final class Endless extends InputStream {
        private final byte[] pattern;
        private long count;

        Endless(String pattern) {
            this.pattern = pattern.getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public int read() {
            return pattern[(int) (count++ % pattern.length)] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            for (int i = 0; i < length; i++) {
                to[offset + i] = (byte) read();
            }
            return length;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(DataException.class, action::run).getMessage());
    }

    @Test
    void holdsTheStartAndTheRest() throws IOException {
        byte[] rest = bytes("0123456789".repeat(20_000));
        PrivateCopy copy = PrivateCopy.of("pipe", folder, 1 << 20, bytes("start"), new ByteArrayInputStream(rest));
        assertEquals(rest.length + 5, copy.size());
        try (InputStream one = copy.open();
                InputStream two = copy.open()) {
            assertEquals("start0123", new String(one.readNBytes(9), StandardCharsets.UTF_8));
            byte[] all = two.readAllBytes();
            assertArrayEquals(rest, Arrays.copyOfRange(all, 5, all.length));
            assertEquals('4', one.read());
        }
    }

    @Test
    void hasNoNameAndOnlyItsOwnerMayReadIt() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "this system does not show the files of a process");
        PrivateCopy copy = PrivateCopy.of("pipe", folder, 100, bytes("12345"), InputStream.nullInputStream());
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
        int found = 0;
        try (Stream<Path> open = Files.list(descriptors)) {
            for (Path descriptor : open.toList()) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor).startsWith(folder.toRealPath())) {
                    found++;
                    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(descriptor)));
                }
            }
        }
        assertEquals(1, found);
        assertEquals(5, copy.size());
    }

    @Test
    void isBounded() throws IOException {
        assertEquals(
                10,
                PrivateCopy.of("pipe", folder, 10, bytes("12345"), new ByteArrayInputStream(bytes("67890")))
                        .size());
        Endless endless = new Endless("1,2\n");
        String message = failure(() -> {
            try {
                PrivateCopy.of("pipe", folder, 1_000_000, new byte[0], endless);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(message.contains("pipe: is too long to be copied"), message);
        assertTrue(message.contains("1000000 bytes; save it to a file first"), message);
        assertTrue(endless.count < 1_100_000, endless.count + " bytes were read");
    }

    @Test
    void leavesRoomForOthers() {
        long gigabyte = 1L << 30;
        assertEquals(50 * gigabyte, PrivateCopy.limit(100 * gigabyte));
        assertEquals(gigabyte / 2, PrivateCopy.limit(3 * gigabyte / 2));
        assertEquals(64 << 20, PrivateCopy.limit(gigabyte));
        assertEquals(10 << 20, PrivateCopy.limit(20 << 20));
    }

    @Test
    void isMadeOnlyOfAKnownFormat() {
        for (DataFormat format : List.of(DataFormat.AUTO, DataFormat.CSV, DataFormat.LIBSVM)) {
            Endless zeros = new Endless("\0");
            String message = failure(() ->
                    DataFiles.open(DataOptions.of("zero").withFormat(format), path -> Input.stream(path, zeros, true)));
            assertTrue(message.contains("zero: is neither text"), message);
            assertTrue(zeros.count < 1 << 20, zeros.count + " bytes were read");
        }
        Endless wide = new Endless("\u00ff\u00fe1\0");
        String message = failure(() -> DataFiles.open(DataOptions.of("wide"), path -> Input.stream(path, wide, true)));
        assertTrue(message.contains("UTF-16"), message);
        assertTrue(wide.count < 1 << 20, wide.count + " bytes were read");
    }

    @Test
    void isReadAsOftenAsNeeded() {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            rows.append(i).append(",").append(i % 3).append('\n');
        }
        for (byte[] data : List.of(bytes(rows.toString()), Sample.gzip(bytes(rows.toString())))) {
            FileSource source = DataFiles.open(
                    DataOptions.of("pipe"), path -> Input.stream(path, new ByteArrayInputStream(data), true));
            assertEquals(50_000, source.rows());
            assertEquals(data.length, source.identity().files().get(0).bytes());
            for (int pass = 0; pass < 2; pass++) {
                Sample sample = Sample.of(source, 10_000);
                assertEquals(50_000, sample.rows.size());
                assertEquals(49_999, sample.rows.get(49_999)[0]);
            }
        }
    }
}
