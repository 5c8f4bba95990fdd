package org.bochner.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.base.Require;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/**
 * The sizes of a {@linkplain PruningPath pruned model}, measured on labelled rows that none of them was fitted to.
 *
 * <p>Threads: not safe; it remembers what it measured.
 */
final class PruningStudy {
    /** Sizes this near are as good as one. */
    private static final double NEAR = 1.05;

    private final PruningPath path;
    private final RowSource test;
    private final Workers workers;
    private final Progress progress;
    private final KernelModel whole;
    private final Evaluation wholeEvaluation;
    private final PredictionSpeed speed;
    private final Map<Integer, PrunedModel> measured = new TreeMap<>(Comparator.reverseOrder());

    /**
     * Measures the whole model first.
     *
     * @param whole what sizes are compared with: the model as it was, or, where that may have been trained on the test
     *     rows, the path's own of all units
     */
    PruningStudy(PruningPath path, KernelModel whole, RowSource test, Workers workers, Progress progress) {
        this.path = path;
        this.whole = whole;
        this.test = test;
        this.workers = workers;
        this.progress = progress;
        wholeEvaluation = Evaluation.of(whole, test, workers, progress);
        speed = new PredictionSpeed(whole, test);
        measured.put(path.units(), of(whole, path.units(), 1));
    }

    /** What was measured so far, from the whole model down. */
    List<PrunedModel> measured() {
        return List.copyOf(measured.values());
    }

    /** Measures the model of that size. */
    PrunedModel at(int count) {
        PrunedModel known = measured.get(count);
        if (known != null) {
            return known;
        }
        KernelModel model = path.model(count);
        PrunedModel pruned = of(model, count, speed.ratio(model));
        measured.put(count, pruned);
        return pruned;
    }

    private PrunedModel of(KernelModel model, int count, double ratio) {
        Evaluation evaluation = model == whole ? wholeEvaluation : Evaluation.of(model, test, workers, progress);
        return new PrunedModel(
                model,
                count,
                (double) count / path.units(),
                model.fileBytes(),
                evaluation,
                PrunedModel.loss(evaluation, wholeEvaluation),
                ratio);
    }

    /**
     * The smallest model that loses at most so much: sizes are tried from the largest down until one loses more, and
     * then those between the last two.
     *
     * @param most the largest {@linkplain PrunedModel#loss loss}: 0.005 is half a point of error, or half a percent
     *     of rmse
     */
    PrunedModel smallestWithin(double most) {
        Require.notNegative("pruning", "loss", most);
        int good = path.units();
        int bad = path.fewest() - 1;
        for (int size : path.sizes(path.fewest())) {
            if (at(size).loss() > most) {
                bad = size;
                break;
            }
            good = size;
        }
        while (bad >= path.fewest() && good > bad + 1 && good > NEAR * bad) {
            int middle = Math.min(good - 1, Math.max(bad + 1, (int) Math.round(Math.sqrt((double) good * bad))));
            if (at(middle).loss() > most) {
                bad = middle;
            } else {
                good = middle;
            }
        }
        return at(good);
    }

    /** The model of that size, with some larger ones measured on the way to it. */
    PrunedModel downTo(int count) {
        List<PrunedModel> models = new ArrayList<>();
        for (int size : path.sizes(count)) {
            models.add(at(size));
        }
        return models.get(models.size() - 1);
    }
}
