package org.bochner.learn.linear;

import org.bochner.base.BochnerException;
import org.bochner.base.State;

/** The saved form of losses. */
public final class LossForm {
    private LossForm() {}

    /** Returns the saved form of a loss, which {@link #load} reads. */
    public static State of(Loss loss) {
        if (loss instanceof Loss.SmoothHinge hinge) {
            return State.of("smooth-hinge").with("gamma", hinge.gamma());
        }
        if (loss instanceof Loss.EpsilonInsensitive insensitive) {
            return State.of("epsilon-insensitive").with("epsilon", insensitive.epsilon());
        }
        if (loss instanceof Loss.SquaredInsensitive insensitive) {
            return State.of("squared-insensitive").with("epsilon", insensitive.epsilon());
        }
        if (loss instanceof Loss.SmoothInsensitive insensitive) {
            return State.of("smooth-insensitive")
                    .with("epsilon", insensitive.epsilon())
                    .with("gamma", insensitive.gamma());
        }
        if (loss instanceof Loss.Huber huber) {
            return State.of("huber").with("delta", huber.delta());
        }
        if (loss instanceof Loss.Softmax) {
            return State.of("softmax");
        }
        if (loss instanceof Loss.HalfSquare) {
            return State.of("half-square");
        }
        if (loss instanceof Loss.Logistic) {
            return State.of("logistic");
        }
        return State.of(loss instanceof Loss.Hinge ? "hinge" : "squared-hinge");
    }

    /** Reads a loss from its saved form. */
    public static Loss load(State state) {
        return switch (state.type()) {
            case "smooth-hinge" -> new Loss.SmoothHinge(state.number("gamma"));
            case "epsilon-insensitive" -> new Loss.EpsilonInsensitive(state.number("epsilon"));
            case "squared-insensitive" -> new Loss.SquaredInsensitive(state.number("epsilon"));
            case "smooth-insensitive" -> new Loss.SmoothInsensitive(state.number("epsilon"), state.number("gamma"));
            case "huber" -> new Loss.Huber(state.number("delta"));
            case "softmax" -> new Loss.Softmax();
            case "half-square" -> new Loss.HalfSquare();
            case "logistic" -> new Loss.Logistic();
            case "hinge" -> new Loss.Hinge();
            case "squared-hinge" -> new Loss.SquaredHinge();
            default -> throw new BochnerException("'" + state.type() + "' is no loss");
        };
    }
}
