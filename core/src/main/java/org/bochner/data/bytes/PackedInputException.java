package org.bochner.data.bytes;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failure to unpack a compressed file. The message says where and why, but does not name the file. */
public final class PackedInputException extends IOException {
    private static final long serialVersionUID = 1L;

    PackedInputException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the failure of a file whose bytes violate its format.
     *
     * @param kind the name of the format
     * @param why the position and the kind of the damage
     */
    public static PackedInputException damaged(String kind, String why) {
        return new PackedInputException("damaged or cut off " + kind + " file: " + why, null);
    }
}
