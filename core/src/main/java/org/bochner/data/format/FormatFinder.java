package org.bochner.data.format;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bochner.base.DataException;
import org.bochner.data.DataFormat;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/** Detects the format of a file by its first bytes, else its extension, else its first lines. */
public final class FormatFinder {
    private static final int LOOK = 1 << 14;
    private static final int LINES = 50;
    private static final Pattern PACKED = Pattern.compile("\\.(gz|bz2|xz|zst)$");
    private static final Pattern ENTRY = Pattern.compile("([0-9]+|qid):[-+.0-9a-zA-Z]+");

    private FormatFinder() {}

    /**
     * Returns the format, and sets the character encoding of text.
     *
     * @param charset the character encoding of text; null for UTF-8
     */
    public static DataFormat find(Input input, DataFormat asked, @Nullable Charset charset) {
        byte[] head = input.head(LOOK).bytes();
        if (head.length == 0) {
            throw input.problem("the file is empty");
        }
        if (Npz.recognises(head)) {
            throw input.problem(
                    "is a ZIP or NPZ file inside a compressed file or a pipe; unpack or save it to a file first");
        }
        if (asked == DataFormat.NPY || asked == DataFormat.IDX) {
            return asked;
        }
        if (asked != DataFormat.AUTO) {
            requireText(input.name(), decode(input, charset));
            return asked;
        }
        if (NpyHeader.recognises(head)) {
            return DataFormat.NPY;
        }
        if (IdxHeader.recognises(head)) {
            return DataFormat.IDX;
        }
        DataFormat named = byExtension(input.fileName().toLowerCase(Locale.ROOT));
        if (named != DataFormat.NPY) {
            head = decode(input, charset);
            requireText(input.name(), head);
        }
        return named == DataFormat.AUTO ? byLines(head) : named;
    }

    private static byte[] decode(Input input, @Nullable Charset charset) {
        if (charset != null && !charset.equals(StandardCharsets.UTF_8)) {
            input.decode(charset);
        }
        return input.head(LOOK).bytes();
    }

    /** Fails on a binary file: text has no zero bytes, and almost every binary file has. */
    private static void requireText(String file, byte[] head) {
        try (ByteFeed feed = new ByteFeed(file, head)) {
            // UTF-16 text has zero bytes too; this fails with the remedy for it.
            feed.skipByteOrderMark();
        }
        for (byte c : head) {
            if (c == 0) {
                throw DataException.in(
                        file, "is neither text (LIBSVM, CSV) nor an NPY or IDX array; is it a model, or another file?");
            }
        }
    }

    private static DataFormat byExtension(String name) {
        String plain = PACKED.matcher(name).replaceFirst("");
        String extension = plain.substring(plain.lastIndexOf('.') + 1);
        return switch (extension) {
            case "csv", "tsv" -> DataFormat.CSV;
            case "libsvm", "svm", "svmlight" -> DataFormat.LIBSVM;
            case "npy" -> DataFormat.NPY;
            default -> DataFormat.AUTO;
        };
    }

    /** Returns LIBSVM if a line has an {@code index:value} entry at its start or right after its label, else CSV. */
    private static DataFormat byLines(byte[] head) {
        String text = new String(head, StandardCharsets.UTF_8);
        List<String> lines = text.lines().limit(LINES).toList();
        for (String line : lines) {
            int comment = line.indexOf('#');
            String[] words =
                    (comment < 0 ? line : line.substring(0, comment)).strip().split("\\s+", -1);
            if (ENTRY.matcher(words[Math.min(1, words.length - 1)]).matches()) {
                return DataFormat.LIBSVM;
            }
        }
        return DataFormat.CSV;
    }
}
