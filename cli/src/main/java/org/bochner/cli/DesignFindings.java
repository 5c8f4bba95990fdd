package org.bochner.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bochner.base.Note;
import org.bochner.design.Design;
import org.bochner.design.Form;
import org.bochner.design.Norm;
import org.bochner.design.Plan;
import org.bochner.map.DesignRival;

/**
 * What the design command found, to be printed in one form or another.
 *
 * @param where the name of DATA, if the range is from there
 * @param asked the dimension that was asked for, or that of the design where an error was
 * @param seconds how long the design took
 * @param rivals other maps of the same dimension
 */
record DesignFindings(
        DesignSubject subject,
        Optional<String> where,
        int asked,
        Design design,
        double seconds,
        List<DesignRival> rivals,
        List<Note> notes) {
    /** The error where the larger value is the largest; of absolute errors of ratios with a range alone. */
    OptionalDouble atHighest(double error) {
        return subject instanceof RatioSubject ratios
                        && !ratios.relative()
                        && ratios.values().isPresent()
                ? OptionalDouble.of(error * ratios.largest())
                : OptionalDouble.empty();
    }

    boolean mean() {
        return design.plan().norm() == Norm.MEAN;
    }

    /** The spelling of the map; empty where the map's own search would find another design. */
    Optional<String> map() {
        Plan plan = design.plan();
        if (plan.search() != Plan.Search.CONTINUOUS || plan.pool() != Plan.Pool.PRODUCT) {
            return Optional.empty();
        }
        List<String> parameters = new ArrayList<>(List.of("dimension=" + asked));
        subject.rangeParameter().filter(range -> !range.isEmpty()).ifPresent(parameters::add);
        if (subject.relative()) {
            parameters.add("weight=relative");
        }
        if (mean()) {
            parameters.add("norm=mean");
        }
        if (plan.form() != null) {
            parameters.add("form=" + (plan.form() == Form.MODULATION ? "modulation" : "projection"));
        }
        return Optional.of("lp(" + String.join(", ", parameters) + ")");
    }
}
