package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.SharedData;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.learn.Ridge;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Errors on real data that the whole path has to reach; skipped where the data are not at hand. Those that take long run
 * with {@code mvn -B verify -Plong}.
 */
class KnownErrorsTest {
    private static void assertErrorAtMost(double bound, int features, double error) {
        assertTrue(error <= bound, features + " features: error " + error + ", bound " + bound);
    }

    @Test
    void a9a() {
        FileSource train =
                DataFiles.open(DataOptions.of(SharedData.file("a9a/a9a.gz")).withColumns(123));
        FileSource test = DataFiles.open(DataOptions.of(SharedData.file("a9a/a9a.t.gz")), train.encoding());
        KernelMachine machine = KernelMachine.of("gaussian(sigma=3.1623)");
        KernelModel small = machine.withFeatures(500).fit(train).model();
        assertErrorAtMost(0.152, 500, Evaluation.of(small, test).error());
        KernelModel large = machine.withFeatures(2000).fit(train).model();
        assertErrorAtMost(0.149, 2000, Evaluation.of(large, test).error());
    }

    @Test
    @Tag("long")
    void fashionMnist() {
        FileSource train = DataFiles.open(DataOptions.of(SharedData.file("fashion-mnist/train-images-idx3-ubyte.gz"))
                .withLabelsFile(SharedData.file("fashion-mnist/train-labels-idx1-ubyte.gz")));
        FileSource test = DataFiles.open(
                DataOptions.of(SharedData.file("fashion-mnist/t10k-images-idx3-ubyte.gz"))
                        .withLabelsFile(SharedData.file("fashion-mnist/t10k-labels-idx1-ubyte.gz")),
                train.encoding());
        KernelMachine machine = KernelMachine.of("gaussian(sigma=5)").withScaling(Scalings.parse("divide(by=255)"));
        KernelModel model = machine.withFeatures(4000).fit(train).model();
        assertErrorAtMost(0.134, 4000, Evaluation.of(model, test).error());
    }

    @Test
    @Tag("long")
    void covtypeClassTwoAgainstTheRest() {
        FileSource source = DataFiles.open(DataOptions.of(SharedData.file("covtype/covtype.scale01.subset92962.csv.gz"))
                .withPositive("2"));
        Holdout split = Holdout.split(source, 0.2, new Seed(1));
        KernelMachine machine = KernelMachine.of("gaussian(sigma=0.25)");
        KernelModel model = machine.withFeatures(4000).fit(split.train()).model();
        assertErrorAtMost(0.15, 4000, Evaluation.of(model, split.test()).error());
    }

    /** The linear kernel, to which those of histograms are compared. One thread, whose memory the tests have. */
    @Test
    @Tag("long")
    void twentyNewsgroupsByWordFrequencies() {
        FileSource train = DataFiles.open(DataOptions.of(SharedData.file("20newsgroups/20news.train.libsvm.gz"))
                .withColumns(10_000));
        FileSource test =
                DataFiles.open(DataOptions.of(SharedData.file("20newsgroups/20news.test.libsvm.gz")), train.encoding());
        KernelMachine machine = KernelMachine.of("gaussian(sigma=1)")
                .withMap(SparseTable.identity())
                .withScaling(Scalings.parse("unit-l1"))
                .withRidge(Ridge.of(0.01));
        KernelModel model = machine.fit(train, new Workers(1), Progress.NONE).model();
        assertErrorAtMost(0.227, 10_000, Evaluation.of(model, test).error());
    }
}
