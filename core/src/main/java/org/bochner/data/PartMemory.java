package org.bochner.data;

import java.util.function.Function;
import java.util.function.Supplier;
import org.bochner.base.State;

/**
 * The memory of a process between the tasks of a {@link PartSession}: an object for all parts that it works on, and one per
 * part. A process may lose both, and then makes them again.
 */
public interface PartMemory {
    /** Returns the object for all parts of this process, which the first caller makes from the state of the session. */
    <S> S shared(Function<State, S> make);

    /** Returns the object of this part, which the first caller makes; other tasks of the part wait. */
    <K> K kept(Supplier<K> make);
}
