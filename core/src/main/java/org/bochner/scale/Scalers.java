package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.*;
import org.bochner.numeric.*;

public final class Scalers {
    private Scalers() {}

    public static Scaler load(State s) {
        return NONE;
    }

    static final Scaler NONE = new Scaler() {
        @Override
        public RowBlock apply(RowBlock b) {
            return b;
        }

        @Override
        public State state() {
            return State.of("none");
        }

        @Override
        public String toString() {
            return "none";
        }
    };
}
