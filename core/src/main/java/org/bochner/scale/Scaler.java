package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.*;

public interface Scaler {
    RowBlock apply(RowBlock b);

    State state();
}
