package org.bochner.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.bochner.base.BochnerException;
import org.bochner.data.ReaderFuzz;
import org.bochner.model.file.ModelFile;

/** What the loader of models keeps on any bytes: it gives a model that can be saved, or fails with a message. */
public final class ModelFuzz {
    private static final byte[] MARK = "\"sha256\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int DIGITS = 64;

    private ModelFuzz() {}

    /** Loads the bytes as they are and with the checksum they should have; returns how often that worked. */
    public static int model(byte[] file) {
        return load(file) + load(signed(file));
    }

    private static int load(byte[] bytes) {
        Path file = ReaderFuzz.file("f.bochner", bytes);
        try {
            KernelModel model = KernelModel.load(file);
            if (ModelFile.toBytes(ModelFixtures.state(model)).length == 0) {
                throw new AssertionError("nothing to save");
            }
            return 1;
        } catch (BochnerException e) {
            if (!String.valueOf(e.getMessage()).contains("f.bochner")) {
                throw new AssertionError("the message does not name the file", e);
            }
            return 0;
        }
    }

    /** The file with a right checksum, which no damage at random would give it. */
    private static byte[] signed(byte[] file) {
        byte[] bytes = file.clone();
        int end = bytes.length < 8 ? 0 : (int) Math.min(bytes.length, 8 + Math.max(0, length(bytes)));
        for (int at = 8; at + MARK.length + DIGITS <= end; at++) {
            if (ByteBuffer.wrap(bytes, at, MARK.length).equals(ByteBuffer.wrap(MARK))) {
                int from = at + MARK.length;
                Arrays.fill(bytes, from, from + DIGITS, (byte) '0');
                byte[] sum = digest(bytes);
                System.arraycopy(sum, 0, bytes, from, DIGITS);
                break;
            }
        }
        return bytes;
    }

    private static long length(byte[] bytes) {
        long length = Long.reverseBytes(ByteBuffer.wrap(bytes).getLong());
        return length > bytes.length ? 0 : length;
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
