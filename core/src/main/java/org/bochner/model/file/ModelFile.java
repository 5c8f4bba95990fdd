package org.bochner.model.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Json;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.State;
import org.bochner.base.text.JsonFields;
import org.jspecify.annotations.Nullable;

/**
 * The file format of a {@link State}: the safetensors layout, whose tensors Python reads in one line.
 *
 * <pre>
 * 8 bytes   length of the header, little-endian
 * header    JSON: "__metadata__" holds the texts; every tensor has dtype, shape and data_offsets
 * data      the tensors, little-endian, one after the other
 * </pre>
 *
 * <p>The metadata hold the format version and a SHA-256 of the whole file, computed with zeros in place of the
 * checksum's digits, which detects any changed bit. Files are written under a temporary name and renamed. Loading
 * runs no code from the file, and the file's size limits the memory that it allocates.
 */
public final class ModelFile {
    public static final String FORMAT = "bochner-model";
    public static final int VERSION = 2;

    private static final String METADATA = "__metadata__";
    private static final String CHECKSUM = "sha256";
    private static final String NO_CHECKSUM = "0".repeat(64);
    private static final int LENGTH_BYTES = Long.BYTES;

    /** The largest file, which is written from one array and read into one array. */
    private static final int LARGEST = Integer.MAX_VALUE - 8;

    private ModelFile() {}

    public static void write(Path path, State state) {
        byte[] bytes = toBytes(state);
        try (AtomicFile file = AtomicFile.create(path)) {
            file.stream().write(bytes);
            file.commit();
        } catch (IOException e) {
            throw DataException.in(path.toString(), "cannot write the model: " + e.getMessage(), e);
        }
    }

    /** The header of a file, and the bytes of the tensors after it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Layout(byte[] header, long tensorBytes) {
        long size() {
            return LENGTH_BYTES + header.length + tensorBytes;
        }
    }

    /** Returns the size of the file in bytes, from the shapes of the tensors. */
    public static long size(State state) {
        return layout(state).size();
    }

    private static Layout layout(State state) {
        Map<String, Object> metadata = JsonFields.of(
                "format", FORMAT, "version", Integer.toString(VERSION), CHECKSUM, NO_CHECKSUM, "type", state.type());
        metadata.putAll(state.texts());
        Map<String, Object> header = JsonFields.of(METADATA, metadata);
        long offset = 0;
        for (String name : state.arrayNames()) {
            Object array = state.rawArray(name);
            boolean wide = array instanceof double[];
            long count = wide ? ((double[]) array).length : ((int[]) array).length;
            long end = offset + count * (wide ? Double.BYTES : Integer.BYTES);
            String type = wide ? "F64" : "I32";
            List<Long> offsets = List.of(offset, end);
            header.put(name, JsonFields.of("dtype", type, "shape", state.shape(name), "data_offsets", offsets));
            offset = end;
        }
        return new Layout(padded(Json.write(header)), offset);
    }

    public static byte[] toBytes(State state) {
        Layout layout = layout(state);
        byte[] json = layout.header;
        long size = layout.size();
        if (size > LARGEST) {
            throw new BochnerException(
                    "the model takes " + size + " bytes, and a file can have at most " + LARGEST,
                    Remedy.set(Setting.FEATURES, "with a smaller number makes it smaller"),
                    Remedy.set(Setting.MAP, "structured", "has no matrix to save"));
        }
        ByteBuffer file = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(json.length).put(json);
        for (String name : state.arrayNames()) {
            Object array = state.rawArray(name);
            if (array instanceof double[] values) {
                file.asDoubleBuffer().put(values);
                file.position(file.position() + values.length * Double.BYTES);
            } else {
                int[] values = (int[]) array;
                file.asIntBuffer().put(values);
                file.position(file.position() + values.length * Integer.BYTES);
            }
        }
        byte[] bytes = file.array();
        int at = checksumAt(bytes, json.length);
        byte[] digest = checksum(bytes, at).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digest, 0, bytes, at, digest.length);
        return bytes;
    }

    /** Returns the SHA-256 checksum that the file of a state has: equal states have equal ones. */
    public static String digest(State state) {
        byte[] bytes = toBytes(state);
        return checksum(bytes, checksumAt(bytes, layout(state).header.length));
    }

    /** Spaces after the header align the tensors to 8 bytes, as the layout recommends. */
    private static byte[] padded(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(bytes, (bytes.length + 7) / 8 * 8);
        Arrays.fill(padded, bytes.length, padded.length, (byte) ' ');
        return padded;
    }

    public static State read(Path path) {
        String name = path.toString();
        byte[] bytes;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            bytes = readAll(name, channel);
        } catch (NoSuchFileException e) {
            throw DataException.in(name, "no such model file", e);
        } catch (IOException e) {
            throw DataException.in(name, "cannot read the model: " + e.getMessage(), e);
        }
        return fromBytes(name, bytes);
    }

    private static byte[] readAll(String name, FileChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (start.hasRemaining() && channel.read(start) >= 0) {
            // The first bytes show whether the file can be a model.
        }
        long size = channel.size();
        if (start.hasRemaining() || start.getLong(0) < 2 || start.getLong(0) > size - LENGTH_BYTES) {
            throw notAModel(name);
        }
        if (size > LARGEST) {
            throw DataException.in(name, "the model has " + size + " bytes; at most 2 GiB can be loaded");
        }
        ByteBuffer all = ByteBuffer.allocate((int) size);
        channel.position(0);
        while (all.hasRemaining() && channel.read(all) >= 0) {
            // A read may return fewer bytes than requested.
        }
        return all.array();
    }

    public static State fromBytes(String name, byte[] bytes) {
        if (bytes.length < LENGTH_BYTES) {
            throw notAModel(name);
        }
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long headerLength = file.getLong();
        if (headerLength < 2 || headerLength > bytes.length - LENGTH_BYTES) {
            throw notAModel(name);
        }
        int dataStart = LENGTH_BYTES + (int) headerLength;
        Map<?, ?> header = header(name, bytes, (int) headerLength);
        Map<?, ?> metadata = header.get(METADATA) instanceof Map<?, ?> map ? map : Map.of();
        if (!FORMAT.equals(metadata.get("format"))) {
            throw DataException.in(name, "is a safetensors file, but not a Bochner model");
        }
        checkVersion(name, String.valueOf(metadata.get("version")));
        checkSum(name, bytes, (int) headerLength, String.valueOf(metadata.get(CHECKSUM)));
        State state = State.of(String.valueOf(metadata.get("type")));
        metadata.forEach((key, text) -> {
            if (!List.of("format", "version", CHECKSUM, "type").contains(key)) {
                state.with(String.valueOf(key), String.valueOf(text));
            }
        });
        // Tensors follow each other without gaps, so they take no more memory than the file.
        int next = dataStart;
        for (Map.Entry<?, ?> entry : header.entrySet()) {
            if (!METADATA.equals(entry.getKey())) {
                next = readTensor(name, file, dataStart, next, String.valueOf(entry.getKey()), entry.getValue(), state);
            }
        }
        if (next != bytes.length) {
            throw DataException.in(
                    name, "is damaged: its last " + (bytes.length - next) + " bytes belong to no tensor");
        }
        return state;
    }

    private static Map<?, ?> header(String name, byte[] bytes, int length) {
        try {
            if (Json.read(bytes, LENGTH_BYTES, length) instanceof Map<?, ?> header) {
                return header;
            }
        } catch (IOException e) {
            throw DataException.in(name, "is not a Bochner model, or is damaged: its header cannot be read", e);
        }
        throw notAModel(name);
    }

    private static void checkVersion(String name, String version) {
        if (!version.equals(Integer.toString(VERSION))) {
            throw DataException.in(
                    name,
                    "was written in model format " + version + "; this program reads format " + VERSION
                            + " — use the version of Bochner that wrote it, or train again");
        }
    }

    private static void checkSum(String name, byte[] bytes, int headerLength, String expected) {
        int at = checksumAt(bytes, headerLength);
        if (at < 0 || expected.length() != NO_CHECKSUM.length()) {
            throw DataException.in(name, "is damaged: it has no checksum");
        }
        if (!checksum(bytes, at).equals(expected)) {
            throw DataException.in(name, "is damaged or incomplete: its checksum does not match its content");
        }
    }

    /** Reads the tensor at a position and returns the position of its end. */
    private static int readTensor(
            String name,
            ByteBuffer file,
            int dataStart,
            int position,
            String key,
            @Nullable Object entry,
            State state) {
        long begin = -1;
        long end = -1;
        String type = "";
        List<?> shape = List.of();
        if (entry instanceof Map<?, ?> map
                && map.get("data_offsets") instanceof List<?> offsets
                && offsets.size() == 2
                && offsets.get(0) instanceof Long first
                && offsets.get(1) instanceof Long second
                && map.get("shape") instanceof List<?> stated) {
            begin = first;
            end = second;
            shape = stated;
            type = String.valueOf(map.get("dtype"));
        }
        int width = type.equals("F64") ? Double.BYTES : type.equals("I32") ? Integer.BYTES : 0;
        long size = file.capacity() - (long) dataStart;
        boolean fits = width > 0 && begin == position - dataStart && end >= begin && end <= size;
        if (!fits || (end - begin) % width != 0 || !isShapeOf(shape, (end - begin) / width)) {
            throw DataException.in(name, "is damaged: the tensor '" + key + "' does not fit the file");
        }
        ByteBuffer data = file.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(position);
        int count = (int) ((end - begin) / width);
        if (width == Integer.BYTES) {
            int[] values = new int[count];
            data.asIntBuffer().get(values);
            state.with(key, values);
        } else {
            double[] values = new double[count];
            data.asDoubleBuffer().get(values);
            if (shape.size() == 2) {
                state.with(key, values, ((Long) shape.get(0)).intValue(), ((Long) shape.get(1)).intValue());
            } else {
                state.with(key, values);
            }
        }
        return dataStart + (int) end;
    }

    /** Returns true if the shape is that of a vector or matrix with this number of values. */
    private static boolean isShapeOf(List<?> shape, long count) {
        long product = shape.isEmpty() || shape.size() > 2 ? -1 : 1;
        for (Object extent : shape) {
            boolean possible = extent instanceof Long length && length >= 0 && length <= Integer.MAX_VALUE;
            product = possible && product >= 0 ? product * (Long) extent : -1;
        }
        return product == count;
    }

    /** Returns the position of the checksum's digits, which are among the first entries of the header. */
    private static int checksumAt(byte[] bytes, int headerLength) {
        byte[] key = ("\"" + CHECKSUM + "\":\"").getBytes(StandardCharsets.US_ASCII);
        int last = Math.min(LENGTH_BYTES + headerLength - key.length - NO_CHECKSUM.length(), 256);
        for (int at = LENGTH_BYTES; at <= last; at++) {
            if (Arrays.equals(bytes, at, at + key.length, key, 0, key.length)) {
                return at + key.length;
            }
        }
        return -1;
    }

    /** Returns the digest of the file with zeros in place of the checksum's digits. */
    private static String checksum(byte[] bytes, int at) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, at);
            digest.update(NO_CHECKSUM.getBytes(StandardCharsets.US_ASCII));
            int rest = at + NO_CHECKSUM.length();
            digest.update(bytes, rest, bytes.length - rest);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static BochnerException notAModel(String name) {
        return DataException.in(name, "is not a Bochner model file, or only the beginning of one");
    }
}
