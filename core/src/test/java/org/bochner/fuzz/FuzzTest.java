package org.bochner.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kept corpus of every reader, as it is and damaged at random with a fixed seed. No coverage guides the damage; see
 * {@link GuidedFuzzTest} for that.
 */
class FuzzTest {
    private static final int CASES = 150;
    private static final String[] WORDS = {
        "nan",
        "inf",
        "-",
        "+",
        "1e999",
        "1e-999",
        ":",
        "0:",
        "2147483648:1",
        "#",
        "qid:",
        "\"",
        "\"\"",
        ",",
        ";",
        "\t",
        "\r\n",
        "\n\n",
        "?",
        "NA",
        "\uFEFF",
        "\0",
        "é",
        " ",
        "99999999999999999999",
        "a",
        "1:1",
        "0x1p3",
        "(",
        "), }"
    };

    /** The corpus of a target, in a fixed order. */
    static List<byte[]> corpus(FuzzTarget target) throws IOException {
        Path folder = folder(target);
        List<byte[]> corpus = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
        }
        return corpus;
    }

    static Path folder(FuzzTarget target) {
        String name = "/fuzz/" + target.folder();
        return Path.of(URI.create(
                Objects.requireNonNull(FuzzTest.class.getResource(name), name).toString()));
    }

    private static int read(FuzzTarget target, byte[] file) {
        try {
            return target.read(file);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    target + ", in hexadecimal: " + HexFormat.of().formatHex(file), e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCorpus(FuzzTarget target) throws IOException {
        int read = 0;
        for (byte[] file : corpus(target)) {
            read += read(target, file);
        }
        assertTrue(read > 0, "no file of the corpus can be read");
    }

    @ParameterizedTest
    @EnumSource
    void theCorpusDamaged(FuzzTarget target) throws IOException {
        SplittableRandom random = new SplittableRandom(target.key);
        List<byte[]> corpus = corpus(target);
        for (int i = 0; i < CASES; i++) {
            read(target, damage(corpus.get(random.nextInt(corpus.size())), random));
        }
    }

    private static byte[] damage(byte[] valid, SplittableRandom random) {
        byte[] bytes = valid;
        int times = random.nextInt(1, 4);
        for (int t = 0; t < times && bytes.length > 0; t++) {
            int at = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, at + random.nextInt(1, 9));
            switch (random.nextInt(6)) {
                case 0 -> {
                    bytes = bytes.clone();
                    bytes[at] = (byte) random.nextInt();
                }
                case 1 -> {
                    bytes = bytes.clone();
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                }
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, to, bytes.length));
                case 4 -> bytes = join(Arrays.copyOf(bytes, to), Arrays.copyOfRange(bytes, at, bytes.length));
                default -> {
                    byte[] word = WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.UTF_8);
                    bytes = join(join(Arrays.copyOf(bytes, at), word), Arrays.copyOfRange(bytes, at, bytes.length));
                }
            }
        }
        return bytes;
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(first);
        joined.writeBytes(second);
        return joined.toByteArray();
    }
}
