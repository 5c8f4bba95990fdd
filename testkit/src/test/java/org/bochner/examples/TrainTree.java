package org.bochner.examples;

import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;

/** The example of docs/java.md on trees and averages: the lines between the marks stand there word for word. */
public final class TrainTree {
    private TrainTree() {}

    /** Trains a tree and an average on the data file that the first argument names. */
    public static void main(String[] arguments) {
        // The document's lines start here.
        Holdout split = Holdout.split(FileSource.open(DataOptions.of(arguments[0])), 0.2, new Seed(1));
        KernelMachine machine = KernelMachine.of("gaussian(sigma=35)").withFeatures(200);
        KernelModel tree =
                machine.withCells("columns(leaves=4)").fit(split.train()).model();
        System.out.println("leaves: " + tree.members().size());
        System.out.println(
                "less than 5% wrong: " + (Evaluation.of(tree, split.test()).error() < 0.05));
        KernelModel mean = machine.withAverage(4).fit(split.train()).model();
        System.out.println("weight of each member: " + mean.members().get(0).weight());
        // The document's lines end here.
    }
}
