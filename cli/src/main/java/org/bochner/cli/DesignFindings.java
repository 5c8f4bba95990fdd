package org.bochner.cli;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bochner.base.Note;
import org.bochner.design.Design;
import org.bochner.design.DesignProblem;
import org.bochner.design.Norm;
import org.bochner.map.DesignRival;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;

/**
 * The results of the design command.
 *
 * @param where the name of DATA, if the range comes from it
 * @param asked the dimension that was asked for; the dimension of the design, if an error was asked for
 * @param seconds how long the design took
 * @param rivals other maps of the same dimension
 */
record DesignFindings(
        DesignProblem problem,
        Optional<String> where,
        int asked,
        Design design,
        double seconds,
        List<DesignRival> rivals,
        List<Note> notes) {
    /** Returns the error at the largest value; only for absolute errors of kernels of ratios with a range. */
    OptionalDouble atHighest(double error) {
        return problem.ofRatios() && !problem.relative() && !problem.universal()
                ? OptionalDouble.of(error * problem.largest())
                : OptionalDouble.empty();
    }

    boolean mean() {
        return design.plan().norm() == Norm.MEAN;
    }

    /** Returns the spelling of the map; empty if no map finds this design. */
    Optional<String> map() {
        return FeatureMaps.of(problem, design, asked).map(MapRecipe::toString);
    }
}
