package org.bochner.data;

import java.util.List;
import java.util.Locale;
import org.bochner.base.DataException;

/** Chooses the writer for a file name. */
final class RowWriters {
    private RowWriters() {}

    static RowWriter open(String path, List<String> columnNames, Labels labels) {
        String lower = path.toLowerCase(Locale.ROOT);
        boolean gzip = lower.endsWith(".gz");
        String plain = gzip ? lower.substring(0, lower.length() - 3) : lower;
        String extension = plain.substring(plain.lastIndexOf('.') + 1);
        return switch (extension) {
            case "libsvm", "svm", "svmlight" ->
                new LibsvmWriter(requireWords(path, labels), columnNames.size(), new TargetFile(path, gzip));
            case "csv" -> new CsvWriter(columnNames, labels, ',', new TargetFile(path, gzip));
            case "tsv" -> new CsvWriter(columnNames, labels, '\t', new TargetFile(path, gzip));
            case "npy" -> {
                if (gzip) {
                    throw DataException.in(path, "an NPY file is written uncompressed; leave out .gz");
                }
                yield new NpyWriter(columnNames.size(), new TargetFile(path, false));
            }
            default -> throw DataException.in(path, "the extension must say the format: .libsvm, .csv, .tsv or .npy");
        };
    }

    /** LIBSVM's labels are single words, before the first blank. */
    private static Labels requireWords(String path, Labels labels) {
        if (labels instanceof Labels.Classes classes) {
            for (String name : classes.names()) {
                if (name.isEmpty() || name.startsWith("#") || name.chars().anyMatch(c -> c <= ' ')) {
                    throw DataException.in(
                            path, "LIBSVM text cannot hold the class '" + name + "', which is not a word; write CSV");
                }
            }
        }
        if (labels.width() > 1) {
            throw DataException.in(path, "LIBSVM text holds one label a row, not " + labels.width() + "; write CSV");
        }
        return labels;
    }
}
