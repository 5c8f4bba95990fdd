package org.bochner.data;

import java.io.IOException;

/** A compressed file whose bytes are not what its format asks for; the message says where and why. */
final class DamagedInput extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Describes the damage.
     *
     * @param kind the name of the format
     * @param why where the damage is, and what it is
     */
    DamagedInput(String kind, String why) {
        super("damaged or cut off " + kind + " file: " + why);
    }
}
