package org.bochner.scale;

import org.bochner.data.*;
import org.bochner.numeric.*;

public interface Scaling {
    Scaler fit(RowSource s, Workers w);
}
