package org.bochner.data.format;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.DataIdentity;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Input;
import org.jspecify.annotations.Nullable;

/**
 * The result of one pass over a file.
 *
 * @param layout the roles of the cells of a table; null for a LIBSVM file, and if they are those asked for
 * @param notes notes for the user on choices that were made
 */
public record Survey(
        PartEncoding encoding,
        long rows,
        DataIdentity.File identity,
        @Nullable TableLayout layout,
        List<Note> notes) {

    /** Returns a new digest, which the survey of a file computes while it reads. */
    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Reads the rest of a file and returns its identity. */
    static DataIdentity.File identity(Input input, ByteFeed feed, long rows, MessageDigest digest) {
        long bytes = feed.drain();
        return new DataIdentity.File(
                input.fileName(), bytes, rows, HexFormat.of().formatHex(digest.digest()));
    }
}
