package org.bochner.scale;

import org.bochner.data.*;
import org.bochner.numeric.*;

public final class Scalings {
    private Scalings() {}

    public static Scaling parse(String s) {
        return (a, b) -> Scalers.NONE;
    }
}
