package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.bochner.base.DataException;
import org.bochner.data.bytes.Compression;
import org.bochner.data.format.FormatFinder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Files that are packed by bzip2, xz and zstd. */
class CompressionTest {
    private final Path folder;

    CompressionTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void messagesForModulesNameTheJavaOption() {
        assertTrue(Compression.where(true).contains("--add-modules ALL-MODULE-PATH"));
        assertTrue(Compression.where(false).contains("on the class path; add it"));
    }

    static byte[] golden(String kind, String parts) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(CompressionTest.class.getResourceAsStream("/golden/compressed.csv"))) {
            String start = kind + "," + parts + ",";
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(start))
                    .map(line -> HexFormat.of().parseHex(line.substring(start.length())))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static FileSource open(byte[] bytes) {
        return DataFiles.open(DataOptions.of("packed"), path -> Sample.input(path, bytes));
    }

    private static String failure(byte[] bytes) {
        return String.valueOf(
                assertThrows(DataException.class, () -> open(bytes)).getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bzip2", "xz", "zstd"})
    void isReadWholeWhateverItsName(String kind) throws IOException {
        for (String parts : List.of("one", "two")) {
            byte[] bytes = golden(kind, parts);
            FileSource source = open(bytes);
            assertEquals(1000, source.rows());
            Sample sample = Sample.of(source, 100);
            assertEquals(1000, sample.rows.size());
            assertEquals(2, sample.rows.get(999)[1]);
            assertEquals(bytes.length, source.identity().files().get(0).bytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bz2", "xz", "zst"})
    void itsExtensionIsReadOver(String extension) {
        assertEquals(
                DataFormat.CSV,
                FormatFinder.find(
                        Sample.input("a.csv." + extension, "1:1 2\n".getBytes(StandardCharsets.UTF_8)),
                        DataFormat.AUTO,
                        null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bzip2", "xz", "zstd"})
    void everyTruncationIsAnError(String kind) throws IOException {
        byte[] bytes = golden(kind, "two");
        int whole = 0;
        for (int length = 4; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            String message = failure(cut);
            // Only the end of the first part is an end, of a text that is cut inside a value.
            if (message.contains("packed:334: ")) {
                whole++;
            } else {
                assertTrue(message.startsWith("packed: damaged or cut off " + kind + " file: within the"), message);
            }
        }
        assertEquals(1, whole);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bzip2", "xz", "zstd"})
    void bytesAfterTheEndAreAnError(String kind) throws IOException {
        byte[] garbage = GzipTest.join(golden(kind, "one"), "garbage".getBytes(StandardCharsets.UTF_8));
        assertTrue(failure(garbage).contains("damaged or cut off " + kind + " file"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bzip2", "xz", "zstd"})
    void damageIsAnErrorOrChangesNothing(String kind) throws IOException {
        byte[] bytes = golden(kind, "two");
        String expected = Sample.of(open(bytes), 100).text();
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            try {
                assertEquals(expected, Sample.of(open(damaged), 100).text(), "byte " + at);
            } catch (DataException e) {
                assertTrue(String.valueOf(e.getMessage()).startsWith("packed"), e.getMessage());
            }
        }
    }

    @Test
    void textThatBeginsLikeOneIsText() {
        assertEquals(
                2, open("BZh91,2\nBZh92,4\n".getBytes(StandardCharsets.UTF_8)).rows());
    }

    @Test
    void anXzFileThatAsksForTooMuchMemoryIsRefused() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        LZMA2Options options = new LZMA2Options(0);
        try (XZOutputStream xz = new XZOutputStream(packed, options)) {
            xz.write("1 1:1\n".getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = packed.toByteArray();
        // The block header: size, flags, filter 0x21, 1 byte of properties, which is the dictionary's size.
        assertEquals(0x21, bytes[14]);
        bytes[16] = 37;
        CRC32 crc = new CRC32();
        int header = 4 * (bytes[12] + 1);
        crc.update(bytes, 12, header - 4);
        for (int i = 0; i < 4; i++) {
            bytes[12 + header - 4 + i] = (byte) (crc.getValue() >> (8 * i));
        }
        String message = failure(bytes);
        assertTrue(message.contains("packed: ") && message.contains("MiB of memory to be unpacked"), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bzip2 org.apache.commons:commons-compress",
                "xz org.tukaani:xz",
                "zstd com.github.luben:zstd-jni"
            })
    void aLibraryThatIsAbsentIsNamed(String kindAndArtifact) throws IOException, ReflectiveOperationException {
        String[] words = kindAndArtifact.split(" ", -1);
        String file = Sample.file(folder, "packed", golden(words[0], "one"));
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.contains("commons-compress") && !entry.contains("xz-") && !entry.contains("zstd-jni")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            Class<?> type = loader.loadClass(DataOptions.class.getName());
            Object options = type.getMethod("of", String.class).invoke(null, file);
            InvocationTargetException failure = assertThrows(
                    InvocationTargetException.class,
                    () -> loader.loadClass(FileSource.class.getName())
                            .getMethod("open", type)
                            .invoke(null, options));
            String message = String.valueOf(
                    assertInstanceOf(RuntimeException.class, failure.getCause()).getMessage());
            assertTrue(message.contains("needs the library " + words[1]), message);
        }
    }
}
