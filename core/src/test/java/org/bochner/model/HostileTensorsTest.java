package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.model.file.ModelFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Model files whose tensors do not fit their data. A file of n bytes could otherwise list one tensor n times. */
class HostileTensorsTest {
    private final Path folder;

    HostileTensorsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private void assertRefused(byte[] bytes, String message) throws IOException {
        Path file = folder.resolve("hostile.bochner");
        Files.deleteIfExists(file);
        Files.write(file, bytes);
        BochnerException e = assertThrows(BochnerException.class, () -> KernelModel.load(file));
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    }

    @Test
    void tensorsThatOverlap() throws Exception {
        assertRefused(withTensors(List.of(List.of(0, 16), List.of(0, 16)), 2, 16), "'t1'");
    }

    @Test
    void tensorsWithGapsBetweenThem() throws Exception {
        assertRefused(withTensors(List.of(List.of(0, 16), List.of(24, 40)), 2, 40), "'t1'");
    }

    @Test
    void dataThatBelongToNoTensor() throws Exception {
        assertRefused(withTensors(List.of(List.of(0, 16)), 2, 24), "belong to no tensor");
    }

    @Test
    void shapesThatAreNotThoseOfTheData() throws Exception {
        for (long rows : new long[] {-2, 0, 1, 3, Integer.MAX_VALUE, 1L << 33, Long.MAX_VALUE}) {
            assertRefused(withTensors(List.of(List.of(0, 16)), rows, 16), "'t0'");
        }
    }

    private byte[] withTensors(List<List<Integer>> offsets, long rows, int dataBytes)
            throws IOException, NoSuchAlgorithmException {
        Map<String, Object> header = new LinkedHashMap<>();
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("format", ModelFile.FORMAT);
        metadata.put("version", Integer.toString(ModelFile.VERSION));
        metadata.put("sha256", "0".repeat(64));
        metadata.put("type", "kernel-model");
        header.put("__metadata__", metadata);
        for (int t = 0; t < offsets.size(); t++) {
            header.put(
                    "t" + t,
                    new TreeMap<>(Map.of("dtype", "F64", "shape", List.of(rows), "data_offsets", offsets.get(t))));
        }
        byte[] unsigned = file(header, dataBytes);
        metadata.put(
                "sha256",
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(unsigned)));
        return file(header, dataBytes);
    }

    private byte[] file(Map<String, Object> header, int dataBytes) {
        byte[] json = Json.write(header).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + json.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .put(json)
                .array();
    }
}
