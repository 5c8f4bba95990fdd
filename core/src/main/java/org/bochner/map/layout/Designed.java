package org.bochner.map.layout;

import java.util.Optional;
import org.bochner.kernel.Kernel;

/** A map whose frequencies may come from a design. */
public interface Designed {
    /** Returns the kernel of the map. */
    Kernel kernel();

    /** Returns the range, error weight and error of the design; empty if they are unknown or there is no design. */
    Optional<DesignFacts> design();
}
