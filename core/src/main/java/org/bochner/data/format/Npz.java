package org.bochner.data.format;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.bochner.base.DataException;
import org.bochner.base.text.Suggestion;
import org.bochner.data.bytes.ByteStream;
import org.bochner.data.bytes.Input;
import org.bochner.data.bytes.PackedInputException;
import org.jspecify.annotations.Nullable;

/**
 * Reads NumPy's archives of arrays, which are ZIP files of NPY files. The path {@code file.npz:NAME} means one array.
 * The path {@code file.npz} means the arrays whose names are usual for rows and labels.
 */
public final class Npz {
    private static final List<String> ROWS = List.of("X", "x", "data", "features");
    private static final List<String> LABELS = List.of("y", "labels", "target");
    private static final String EXTENSION = ".npy";

    private Npz() {}

    /** Returns true if the first bytes are those of a ZIP file. */
    static boolean recognises(byte[] head) {
        return head.length >= 4
                && head[0] == 'P'
                && head[1] == 'K'
                && ((head[2] == 3 && head[3] == 4) || (head[2] == 5 && head[3] == 6));
    }

    /** Adds the name of the array to each path of an archive, and finds the labels. */
    public static DataSettings resolve(DataSettings options) {
        Map<String, String> channels = new LinkedHashMap<>();
        String labelsFile = options.labelsFile;
        boolean find = labelsFile == null && LabelChoice.of(options) == LabelChoice.Word.AUTO;
        for (Map.Entry<String, String> channel : options.channels.entrySet()) {
            String path = channel.getValue();
            if (!isArchive(path)) {
                channels.put(channel.getKey(), path);
                continue;
            }
            List<String> names = names(path);
            channels.put(channel.getKey(), path + ":" + choose(path, names, ROWS, "rows"));
            if (find && labelsFile == null && names.size() > 1) {
                String labels = named(path, names, LABELS, "labels");
                labelsFile = labels == null ? null : path + ":" + labels;
            }
        }
        if (labelsFile != null && isArchive(labelsFile)) {
            labelsFile += ":" + choose(labelsFile, names(labelsFile), LABELS, "labels");
        }
        DataSettings resolved = options.copy();
        resolved.channels = channels;
        resolved.labelsFile = labelsFile;
        return resolved;
    }

    /** Opens the array that a path names; calls the function for a path that is not one of an archive. */
    public static Input input(String path, Function<String, Input> other) {
        int colon = path.lastIndexOf(':');
        if (colon <= 0 || !isArchive(path.substring(0, colon)) || Files.exists(Path.of(path))) {
            return other.apply(path);
        }
        String file = path.substring(0, colon);
        String name = path.substring(colon + 1);
        List<String> names = names(file);
        if (!names.contains(name)) {
            throw DataException.in(
                    file, "has no array '" + name + "'" + Suggestion.hint(name, names) + "; " + list(names));
        }
        Path last = Path.of(file).getFileName();
        return Input.packed(path, last == null ? path : last + ":" + name, () -> open(file, name));
    }

    private static boolean isArchive(String path) {
        try {
            Path file = Path.of(path);
            if (!Files.isRegularFile(file)) {
                return false;
            }
            try (InputStream in = Files.newInputStream(file)) {
                return recognises(in.readNBytes(4));
            }
        } catch (IOException | InvalidPathException e) {
            // The reader of the file fails with a better message.
            return false;
        }
    }

    /** Returns the name of the array for a use: the only array of the archive, or the only one with a known name. */
    private static String choose(String file, List<String> names, List<String> known, String use) {
        if (names.size() == 1) {
            return names.get(0);
        }
        String named = named(file, names, known, use);
        if (named == null) {
            throw DataException.in(
                    file, "which array holds the " + use + "? " + list(names) + "; say " + file + ":NAME");
        }
        return named;
    }

    private static @Nullable String named(String file, List<String> names, List<String> known, String use) {
        List<String> found = names.stream().filter(known::contains).toList();
        if (found.size() > 1) {
            throw DataException.in(
                    file,
                    "which array holds the " + use + "? " + String.join(" and ", found) + " could; say " + file
                            + ":NAME");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private static String list(List<String> names) {
        return "it has " + String.join(", ", names.subList(0, Math.min(20, names.size())))
                + (names.size() > 20 ? " and " + (names.size() - 20) + " more" : "");
    }

    /** Returns the names of the arrays, in the order of the archive. */
    private static List<String> names(String file) {
        try (ZipFile zip = new ZipFile(file)) {
            List<String> names = zip.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(EXTENSION))
                    .map(name -> name.substring(0, name.length() - EXTENSION.length()))
                    .toList();
            if (names.isEmpty()) {
                throw DataException.in(file, "is a ZIP file without arrays (NPY files), so it is no NPZ file");
            }
            if (names.stream().distinct().count() < names.size()) {
                throw DataException.in(file, "has two arrays of the same name; " + list(names));
            }
            return names;
        } catch (ZipException | IllegalArgumentException e) {
            throw DataException.in(file, "damaged or cut off NPZ file: " + e.getMessage(), e);
        } catch (IOException e) {
            throw Input.unreadable(file, e);
        }
    }

    private static InputStream open(String file, String name) throws IOException {
        ZipFile zip = new ZipFile(file);
        try {
            ZipEntry entry = zip.getEntry(name + EXTENSION);
            if (entry == null) {
                throw PackedInputException.damaged("NPZ", "the array '" + name + "' has gone");
            }
            return new Entry(zip, entry, zip.getInputStream(entry));
        } catch (IOException | RuntimeException e) {
            zip.close();
            throw e;
        }
    }

    /**
     * The bytes of one array. Its length and checksum are compared with those in the archive, which ZipFile does not
     * do.
     */
    private static final class Entry extends ByteStream {
        private final ZipFile zip;
        private final ZipEntry entry;
        private final InputStream in;
        private final CRC32 checksum = new CRC32();
        private long count;

        Entry(ZipFile zip, ZipEntry entry, InputStream in) {
            this.zip = zip;
            this.entry = entry;
            this.in = in;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int got;
            try {
                got = in.read(to, offset, length);
            } catch (ZipException | EOFException e) {
                throw damaged(String.valueOf(e.getMessage()));
            }
            if (got < 0) {
                if (count != entry.getSize() || checksum.getValue() != entry.getCrc()) {
                    throw damaged("the unpacked data do not have the length and checksum that the file gives");
                }
            } else {
                checksum.update(to, offset, got);
                count += got;
            }
            return got;
        }

        private PackedInputException damaged(String why) {
            return PackedInputException.damaged("NPZ", entry.getName() + ", byte " + count + ": " + why);
        }

        @Override
        public void close() throws IOException {
            zip.close();
        }
    }
}
