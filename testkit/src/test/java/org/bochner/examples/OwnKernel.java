package org.bochner.examples;

import java.nio.file.Path;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.random.Seed;

/** The example of docs/java.md on kernels: the lines between the marks stand there word for word. */
public final class OwnKernel {
    private OwnKernel() {}

    // The document's lines start here.
    /** ∏ t/sinh t with t = π(x − y)/σ, over the columns: the kernel whose frequencies have the logistic distribution. */
    record SinhKernel(Bandwidth sigma) implements ShiftInvariantKernel {
        @Override
        public double atOffset(double[] delta) {
            double product = 1;
            for (int l = 0; l < delta.length; l++) {
                double t = Math.PI * delta[l] / sigma.at(l);
                product *= t == 0 ? 1 : t / Math.sinh(t);
            }
            return product;
        }

        @Override
        public Spectrum spectrum() {
            // The quantile function of the frequencies of one column, for σ = 1.
            return Spectrum.ofColumns(u -> StrictMath.log(u / (1 - u)), false);
        }

        @Override
        public SinhKernel withSigma(Bandwidth sigma) {
            return new SinhKernel(sigma);
        }

        @Override
        public String toString() {
            return "sinh(sigma=" + sigma + ")";
        }
    }
    // The document's lines end here.

    /** Trains on the data file that the first argument names, and saves the model to the second. */
    public static void main(String[] arguments) {
        Path file = Path.of(arguments[1]);
        // The document's lines start here.
        Holdout split = Holdout.split(FileSource.open(DataOptions.of(arguments[0])), 0.2, new Seed(1));
        KernelModel model = KernelMachine.of(new SinhKernel(Bandwidth.of(60)))
                .withFeatures(500)
                .fit(split.train())
                .model();
        Evaluation evaluation = Evaluation.of(model, split.test());
        System.out.println("less than 4% wrong: " + (evaluation.error() < 0.04));
        model.save(file);
        // The document's lines end here.
    }
}
