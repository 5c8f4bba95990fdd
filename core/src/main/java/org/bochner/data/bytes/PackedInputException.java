package org.bochner.data.bytes;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A compressed file that cannot be unpacked; the message says where and why, but does not name the file. */
public final class PackedInputException extends IOException {
    private static final long serialVersionUID = 1L;

    PackedInputException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The failure of a file whose bytes are not what its format asks for.
     *
     * @param kind the name of the format
     * @param why where the damage is, and what it is
     */
    public static PackedInputException damaged(String kind, String why) {
        return new PackedInputException("damaged or cut off " + kind + " file: " + why, null);
    }
}
