package org.bochner.model.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.State;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFileTest {
    private static State sample() {
        return State.of("thing")
                .with("text", "naïve \"quoted\" ω\n")
                .with("values", new double[] {1.5, -0.0, Double.MIN_VALUE, Math.PI})
                .with("counts", new int[] {1, -2, Integer.MAX_VALUE})
                .with("empty", new double[0])
                .with("part", State.of("inner").with("x", new double[] {7}));
    }

    @Test
    void whatIsWrittenIsReadBack(@TempDir Path folder) {
        Path file = folder.resolve("m.bochner");
        ModelFile.write(file, sample());
        State read = ModelFile.read(file);
        assertEquals(sample(), read);
        assertArrayEquals(new double[] {7}, read.part("part").array("x", 1));
    }

    @Test
    void theSameStateGivesTheSameBytes() {
        assertArrayEquals(ModelFile.toBytes(sample()), ModelFile.toBytes(sample()));
    }

    /** The layout as any safetensors reader sees it: a length, a JSON header, tensors at the offsets it names. */
    @Test
    void theLayoutIsThatOfSafetensors() throws IOException {
        byte[] bytes = ModelFile.toBytes(sample());
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int length = (int) file.getLong();
        assertEquals(0, length % 8);
        Map<?, ?> header = (Map<?, ?>) Objects.requireNonNull(Json.read(bytes, 8, length));
        assertTrue(header.containsKey("__metadata__"));
        Map<?, ?> tensor = (Map<?, ?>) Objects.requireNonNull(header.get("values"));
        assertEquals("F64", tensor.get("dtype"));
        assertEquals("[4]", String.valueOf(tensor.get("shape")));
        assertEquals("[0, 32]", String.valueOf(tensor.get("data_offsets")));
        assertEquals(Math.PI, file.getDouble(8 + length + 24));
    }

    @Nested
    class RejectsWithAReason {
        private void assertRejected(byte[] bytes) {
            BochnerException e = assertThrows(BochnerException.class, () -> ModelFile.fromBytes("m.bochner", bytes));
            assertTrue(String.valueOf(e.getMessage()).startsWith("m.bochner: "), e.getMessage());
        }

        @Test
        void everyFlippedBit() {
            byte[] bytes = ModelFile.toBytes(sample());
            for (int at = 0; at < bytes.length; at++) {
                for (int bit = 0; bit < 8; bit++) {
                    bytes[at] ^= (byte) (1 << bit);
                    assertRejected(bytes);
                    bytes[at] ^= (byte) (1 << bit);
                }
            }
        }

        @Test
        void everyTruncation() {
            byte[] bytes = ModelFile.toBytes(sample());
            for (int length = 0; length < bytes.length; length++) {
                assertRejected(Arrays.copyOf(bytes, length));
            }
        }

        @Test
        void randomBytes() {
            RandomStream stream = new Seed(3).stream();
            for (int trial = 0; trial < 2000; trial++) {
                byte[] bytes = new byte[stream.nextInt(300)];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) stream.nextLong();
                }
                assertRejected(bytes);
            }
        }

        @Test
        void foreignFiles(@TempDir Path folder) throws IOException {
            Path text = Files.writeString(folder.resolve("data.csv"), "1,2,3\n4,5,6\n7,8,9\n");
            assertThrows(BochnerException.class, () -> ModelFile.read(text));
            byte[] other =
                    "{\"a\":{\"dtype\":\"F64\",\"shape\":[0],\"data_offsets\":[0,0]}}".getBytes(StandardCharsets.UTF_8);
            ByteBuffer file = ByteBuffer.allocate(8 + other.length).order(ByteOrder.LITTLE_ENDIAN);
            file.putLong(other.length).put(other);
            BochnerException e =
                    assertThrows(BochnerException.class, () -> ModelFile.fromBytes("x.safetensors", file.array()));
            assertTrue(String.valueOf(e.getMessage()).contains("not a Bochner model"), e.getMessage());
        }

        @Test
        void aMissingFileByName(@TempDir Path folder) {
            BochnerException e =
                    assertThrows(BochnerException.class, () -> ModelFile.read(folder.resolve("none.bochner")));
            assertTrue(String.valueOf(e.getMessage()).contains("no such model file"), e.getMessage());
        }
    }

    @Test
    void aFailedWriteLeavesNothing(@TempDir Path folder) throws IOException {
        assertThrows(BochnerException.class, () -> ModelFile.write(folder.resolve("missing/m.bochner"), sample()));
        assertThrows(BochnerException.class, () -> ModelFile.write(folder, sample()));
        try (var files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
    }
}
