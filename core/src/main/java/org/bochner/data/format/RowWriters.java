package org.bochner.data.format;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bochner.base.DataException;
import org.bochner.data.Labels;
import org.bochner.data.RowWriter;

/** Chooses the writer for a file name. */
public final class RowWriters {
    private static final Set<String> EXTENSIONS = Set.of("libsvm", "svm", "svmlight", "csv", "tsv", "npy");

    private RowWriters() {}

    public static RowWriter open(String path, List<String> columnNames, Labels labels) {
        boolean gzip = gzip(path);
        return switch (extension(path)) {
            case "libsvm", "svm", "svmlight" ->
                new LibsvmWriter(requireWords(path, labels), columnNames.size(), new TargetFile(path, gzip));
            case "csv" -> new CsvWriter(columnNames, labels, ',', new TargetFile(path, gzip));
            case "tsv" -> new CsvWriter(columnNames, labels, '\t', new TargetFile(path, gzip));
            default -> new NpyWriter(columnNames.size(), new TargetFile(path, false));
        };
    }

    public static void check(String path) {
        extension(path);
        new TargetFile(path, false).close();
    }

    private static boolean gzip(String path) {
        return path.toLowerCase(Locale.ROOT).endsWith(".gz");
    }

    /** Returns the extension of the format; fails if it is not supported. */
    private static String extension(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        String plain = gzip(path) ? lower.substring(0, lower.length() - 3) : lower;
        String extension = plain.substring(plain.lastIndexOf('.') + 1);
        if (!EXTENSIONS.contains(extension)) {
            throw DataException.in(path, "the extension must say the format: .libsvm, .csv, .tsv or .npy");
        }
        if (extension.equals("npy") && gzip(path)) {
            throw DataException.in(path, "an NPY file is written uncompressed; leave out .gz");
        }
        return extension;
    }

    /** Returns the labels; fails if a class has blanks, because a LIBSVM label ends at the first blank. */
    private static Labels requireWords(String path, Labels labels) {
        if (labels instanceof Labels.Classes classes) {
            for (String name : classes.names()) {
                if (name.isEmpty() || name.startsWith("#") || name.chars().anyMatch(c -> c <= ' ')) {
                    throw DataException.in(
                            path, "LIBSVM text cannot hold the class '" + name + "', which is not a word; write CSV");
                }
            }
        }
        if (labels.targets() > 1) {
            throw DataException.in(path, "LIBSVM text holds one label a row, not " + labels.targets() + "; write CSV");
        }
        return labels;
    }
}
