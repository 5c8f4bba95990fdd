package org.bochner.examples;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;

/** The example of docs/java.md on serving: the lines between the marks stand there word for word. */
public final class ServeModel {
    private ServeModel() {}

    /** Trains on the data file that the first argument names, and saves two models to the folder of the second. */
    public static void main(String[] arguments) {
        Path folder = Path.of(arguments[1]);
        // The document's lines start here.
        DataOptions flats = DataOptions.of(arguments[0]).withMissingFilled(true);
        RowSource prices = FileSource.open(flats.withLabel("price").withIgnored(List.of("sold")));
        RowSource sales = FileSource.open(flats.withLabel("sold").withIgnored(List.of("price")));

        KernelMachine machine =
                KernelMachine.of("gaussian").withScaling("standard").withFeatures(300);
        machine.fit(prices).model().save(folder.resolve("price.bochner"));
        machine.withLearner(Learner.logistic()).fit(sales).model().save(folder.resolve("sold.bochner"));
        // The document's lines end here.

        // The document's lines start here.
        KernelModel price = KernelModel.load(folder.resolve("price.bochner"));
        KernelModel sold = KernelModel.load(folder.resolve("sold.bochner"));

        Map<String, Object> flat = Map.of(
                "rooms", 3, "area", 72.5, "built", LocalDate.of(1998, 5, 1), "heating", "gas", "discount", "2.5 %");
        System.out.printf("price: about %.0f thousand%n", price.predictNumber(flat) / 1000);
        System.out.println("sold: " + sold.predictClass(flat));
        Map<String, Double> probabilities = sold.probabilities(flat);
        System.out.printf("probability of a sale: %.1f%n", probabilities.get("yes"));
        // The document's lines end here.
    }
}
