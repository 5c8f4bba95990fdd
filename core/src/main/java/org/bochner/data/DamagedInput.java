package org.bochner.data;

import java.io.IOException;

/** A compressed file whose bytes are not what its format asks for; the message says where and why. */
final class DamagedInput extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedInput(String message) {
        super(message);
    }
}
