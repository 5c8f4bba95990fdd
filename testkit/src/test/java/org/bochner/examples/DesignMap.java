package org.bochner.examples;

import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.design.Design;
import org.bochner.design.Plan;
import org.bochner.design.Target;
import org.bochner.kernel.Kernels;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;

/** The example of docs/java.md on designed maps: the lines between the marks stand there word for word. */
public final class DesignMap {
    private DesignMap() {}

    /** Designs a map, and trains with one on the data file that the first argument names. */
    public static void main(String[] arguments) {
        // The document's lines start here.
        // The smallest design of the χ² kernel with an error of at most 0.001, for values whose ratio is at most 255.
        Design design = Design.ofError(Target.ofRatios(Kernels.chi2(), 255), Plan.DEFAULT, 0.001);
        System.out.println(design.dimension() + " features per column");
        System.out.printf("error %.4f%n", design.error());

        // A machine designs its map for the range of its own rows.
        Holdout split = Holdout.split(FileSource.open(DataOptions.of(arguments[0])), 0.2, new Seed(1));
        KernelModel model = KernelMachine.of("chi2")
                .withScaling("unit-l1")
                .withMap("lp(error=0.001)")
                .fit(split.train())
                .model();
        System.out.println(model.map().outputDimension() + " features of " + model.columns() + " columns");
        Evaluation evaluation = Evaluation.of(model, split.test());
        System.out.println("less than 10% wrong: " + (evaluation.error() < 0.1));
        // The document's lines end here.
    }
}
