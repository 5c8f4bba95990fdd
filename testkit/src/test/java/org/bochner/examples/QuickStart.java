package org.bochner.examples;

import java.nio.file.Path;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingResult;
import org.bochner.random.Seed;

/** The README's example in Java: the lines between the two marks stand there word for word. */
public final class QuickStart {
    private QuickStart() {}

    /** Trains on the data file that the first argument names, and saves the model to the second. */
    public static void main(String[] arguments) {
        // The README's lines start here.
        FileSource rows = FileSource.open(DataOptions.of(arguments[0]));
        Holdout split = Holdout.split(rows, 0.2, new Seed(1));

        TrainingResult trained =
                KernelMachine.of("gaussian(sigma=25)").withFeatures(2000).fit(split.train());
        trained.model().save(Path.of(arguments[1]));

        KernelModel model = KernelModel.load(Path.of(arguments[1]));
        Evaluation evaluation = Evaluation.of(model, split.test());
        System.out.println("error on " + evaluation.rows() + " rows held out: " + evaluation.error());

        double[] row = new double[model.columns()];
        RowBlockBuilder block = new RowBlockBuilder();
        try (RowCursor cursor = split.test().open()) {
            cursor.next(block, 1);
        }
        block.build().copyRow(0, row);
        System.out.println("the first of them is a " + model.predictClass(row));
        // The README's lines end here.
    }
}
