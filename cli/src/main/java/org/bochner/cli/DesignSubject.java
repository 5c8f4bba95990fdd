package org.bochner.cli;

import java.util.List;
import java.util.Optional;
import org.bochner.design.Design;
import org.bochner.design.Target;
import org.bochner.kernel.Kernel;
import org.bochner.map.DesignRival;

/** What is designed: a kernel, and the range of its values. */
sealed interface DesignSubject permits RatioSubject, DifferenceSubject {
    Kernel kernel();

    boolean relative();

    /** The problem in the library's terms. */
    Target target();

    /** The range of values, in words. */
    String range();

    /** The intervals of the columns' values; empty where all values are meant, or those of a period. */
    List<Optional<Interval>> domain();

    /** The range as a parameter of the map's spelling; empty where the map must take it from data. */
    Optional<String> rangeParameter();

    /** Other maps of at most so many dimensions, with their errors measured as that of the design is. */
    List<DesignRival> rivals(Design design, int dimension);
}
