package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.SharedData;
import org.junit.jupiter.api.Test;

/** Real files, whose counts are known; skipped where they are not at hand. */
class SharedDataTest {
    @Test
    void a9a() {
        FileSource train = FileSource.open(DataOptions.of(SharedData.file("a9a/a9a.gz")));
        assertEquals(32_561, train.rows());
        assertEquals(123, train.columns());
        assertEquals(new Labels.Classes(List.of("-1", "1")), train.labels());
        assertEquals(List.of(24_720L, 7_841L), train.classCounts());
        assertEquals(
                "e668fbe4c7500e831ef62fbabfc4a7d22b35b6f611fbf80eca77efcdf528a9f0",
                train.identity().files().get(0).sha256());
        // The test file has 122 columns of its own; it is read at the width of the training data.
        FileSource test = FileSource.open(DataOptions.of(SharedData.file("a9a/a9a.t.gz")), train.encoding());
        assertEquals(123, test.columns());
        assertEquals(16_281, Sample.of(test, 1000).rows.size());
    }

    @Test
    void covtype() {
        FileSource source =
                FileSource.open(DataOptions.of(SharedData.file("covtype/covtype.scale01.subset92962.csv.gz")));
        assertEquals(92_962, source.rows());
        assertEquals(54, source.columns());
        assertEquals(List.of(33894L, 45328L, 5721L, 439L, 1519L, 2779L, 3282L), source.classCounts());
        FileSource second = FileSource.open(DataOptions.of(source.name()).withPositive("2"));
        assertEquals(List.of(92_962L - 45_328L, 45_328L), second.classCounts());
    }

    @Test
    void fashionMnist() {
        FileSource source = FileSource.open(DataOptions.of(SharedData.file("fashion-mnist/t10k-images-idx3-ubyte.gz"))
                .withLabelsFile(SharedData.file("fashion-mnist/t10k-labels-idx1-ubyte.gz")));
        assertEquals(784, source.columns());
        assertEquals(10_000, source.rows());
        assertEquals(
                10, source.classCounts().stream().filter(count -> count == 1000).count());
    }

    @Test
    void categoriesTabsAndChannels() {
        FileSource abalone = FileSource.open(DataOptions.of(SharedData.file("abalone/abalone.csv.gz")));
        assertEquals(4177, abalone.rows());
        assertEquals(10, abalone.columns());
        assertTrue(abalone.columnNames().contains("Sex=F"), abalone.columnNames()::toString);
        FileSource higgs = FileSource.open(DataOptions.of(SharedData.file("higgs/lightgbm.binary.train.tsv.gz"))
                .withLabel("first"));
        assertEquals(28, higgs.columns());
        assertEquals(List.of(3284L, 3716L), higgs.classCounts());
        FileSource mfeat = FileSource.open(DataOptions.channelled()
                .withChannel("fac", SharedData.file("mfeat/mfeat-fac.csv.gz"))
                .withChannel("fou", SharedData.file("mfeat/mfeat-fou.csv.gz"))
                .withLabelsFile(SharedData.file("mfeat/labels.csv.gz")));
        assertEquals(2000, mfeat.rows());
        assertEquals(List.of(new ColumnRange("fac", 0, 216), new ColumnRange("fou", 216, 292)), mfeat.channels());
        assertEquals(
                10, mfeat.classCounts().stream().filter(count -> count == 200).count());
    }
}
