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
 * What one pass over a file found.
 *
 * @param layout which cells are columns, for a table; null for a LIBSVM file, and where it is as was asked for
 * @param notes what was decided that the user should know
 */
public record Survey(
        PartEncoding encoding,
        long rows,
        DataIdentity.File identity,
        @Nullable TableLayout layout,
        List<Note> notes) {
    Survey(PartEncoding encoding, long rows, DataIdentity.File identity) {
        this(encoding, rows, identity, null, List.of());
    }

    /** The file's SHA-256, taken while it is read. */
    static final class Digest {
        private final MessageDigest digest;

        Digest() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every Java platform has SHA-256", e);
            }
        }

        MessageDigest digest() {
            return digest;
        }

        DataIdentity.File identity(Input input, ByteFeed feed, long rows) {
            long bytes = feed.drain();
            return new DataIdentity.File(
                    input.fileName(), bytes, rows, HexFormat.of().formatHex(digest.digest()));
        }
    }
}
