package org.bochner.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataOptions;
import org.bochner.data.format.CsvShape;
import org.bochner.data.format.TableShape;
import org.jspecify.annotations.Nullable;

/** Finds the delimiter and the header of CSV files, which all of them must have. */
record ShellCsv(Configuration configuration, DataOptions options) {
    private static final int HEAD = 1 << 18;
    /** The bytes of further files that are read first. */
    private static final int FIRST_LOOK = 1 << 14;

    private static final Remedy SAME =
            Remedy.advice("give files with the same columns, or read them apart and join them in a view");

    /** The first bytes of a file; complete if they are all of it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Head(byte[] bytes, boolean complete) {
        boolean empty() {
            return complete && bytes.length == 0;
        }
    }

    /** Returns the options of Spark's reader for files of a shape. */
    Map<String, String> settings(TableShape shape) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("header", Boolean.toString(!shape.names().isEmpty()));
        settings.put("sep", String.valueOf(shape.delimiter()));
        settings.put("quote", "\"");
        settings.put("escape", "\"");
        settings.put("inferSchema", "true");
        settings.put("ignoreLeadingWhiteSpace", "true");
        settings.put("ignoreTrailingWhiteSpace", "true");
        // Otherwise Spark cuts and fills rows of other lengths. It does not see them if it skips columns.
        settings.put("mode", "FAILFAST");
        settings.put("columnPruning", "false");
        if (options.charset() != null) {
            settings.put("encoding", options.charset().name());
        }
        return settings;
    }

    /**
     * Returns the shape of the first file that is not empty. Fails if another one has another header, because Spark reads all files
     * by the places of their columns.
     */
    TableShape shape(String name, List<Path> files) {
        int index = 0;
        Head head = head(files.get(0), HEAD);
        while (head.empty() && index + 1 < files.size()) {
            index++;
            head = head(files.get(index), HEAD);
        }
        Path file = files.get(index);
        String shown = files.size() == 1 ? name : file.toString();
        TableShape shape =
                CsvShape.ofHead(shown, head.bytes, head.complete, options.header(), options.delimiter(), known());
        if (shape == null) {
            throw tooLong(shown);
        }
        if (shape.delimiter() == ' ') {
            throw DataException.in(
                    shown, "blanks separate the cells, which Spark cannot read; 'bochner train' can, on one machine");
        }
        files.subList(index + 1, files.size()).parallelStream()
                .map(other -> Optional.ofNullable(difference(other, file, shape)))
                .flatMap(Optional::stream)
                .findFirst()
                .ifPresent(difference -> {
                    throw difference;
                });
        return shape;
    }

    /** Returns why a file cannot be read together with the first one; null if it can. */
    private @Nullable DataException difference(Path file, Path firstFile, TableShape first) {
        boolean named = !first.names().isEmpty();
        String name = file.toString();
        try {
            TableShape shape = null;
            for (int size = FIRST_LOOK; shape == null && size <= HEAD; size *= HEAD / FIRST_LOOK) {
                Head head = head(file, size);
                if (head.empty()) {
                    return null;
                }
                Boolean header = named ? Boolean.TRUE : options.header();
                shape = CsvShape.ofHead(name, head.bytes, head.complete, header, first.delimiter(), known());
            }
            if (shape == null) {
                return tooLong(name);
            }
            if (named && !shape.names().equals(first.names())) {
                return otherHeader(name, firstFile, first);
            }
            if (!named && !shape.names().isEmpty()) {
                Remedy row = Remedy.set(Setting.HEADER, false, "if line 1 is a row");
                return DataException.at(name, 1, "is a header, and " + firstFile + " has none", row, SAME);
            }
            return shape.cells() == first.cells()
                    ? null
                    : DataException.at(
                            name,
                            1,
                            "has " + shape.cells() + " cells, and " + firstFile + " has " + first.cells(),
                            SAME);
        } catch (DataException e) {
            // A row that is read as a header may have a text twice.
            return named ? otherHeader(name, firstFile, first) : e;
        }
    }

    private static DataException otherHeader(String name, Path firstFile, TableShape first) {
        List<String> names = first.names();
        String shown =
                String.join(", ", names.subList(0, Math.min(10, names.size()))) + (names.size() > 10 ? ", ..." : "");
        return DataException.at(name, 1, "is not the header of " + firstFile + ": " + shown, SAME);
    }

    private static DataException tooLong(String name) {
        return DataException.in(name, "a line is longer than " + HEAD + " bytes; use another format");
    }

    /** Returns names that columns have. */
    private Set<String> known() {
        Set<String> known = new HashSet<>(options.categorical());
        known.addAll(options.ignored());
        known.add(options.label());
        if (options.rowWeight() != null) {
            known.add(options.rowWeight());
        }
        known.removeAll(Set.of("auto", "none", "first", "last"));
        return known;
    }

    private Head head(Path file, int size) {
        try {
            CompressionCodec codec = new CompressionCodecFactory(configuration).getCodec(file);
            try (InputStream raw = file.getFileSystem(configuration).open(file);
                    InputStream in = codec == null ? raw : codec.createInputStream(raw)) {
                byte[] read = in.readNBytes(size);
                byte[] text = options.charset() == null
                        ? read
                        : new String(read, options.charset()).getBytes(StandardCharsets.UTF_8);
                return new Head(text, read.length < size);
            }
        } catch (IOException e) {
            throw DataException.in(file.toString(), "cannot be read: " + e.getMessage(), e);
        }
    }
}
