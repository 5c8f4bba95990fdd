package org.bochner.model;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bochner.base.Require;
import org.bochner.data.RowSource;

/**
 * Measures the models of a {@linkplain PruningPath pruning path} on labelled rows that none of them was fitted to.
 *
 * <p>Threads: not safe; results are cached.
 */
final class PruningStudy {
    /** Sizes within this factor are not told apart. */
    private static final double NEAR = 1.05;

    private final PruningPath path;
    private final RowSource test;
    private final KernelModel whole;
    private final Evaluation wholeEvaluation;
    private final PredictionSpeed speed;
    private final Map<Integer, PrunedModel> measured = new TreeMap<>(Comparator.reverseOrder());

    /**
     * Creates a study and measures the whole model.
     *
     * @param whole the model to compare with: the original model, or the path's model of all units if the original
     *     may have been trained on the test rows
     */
    PruningStudy(PruningPath path, KernelModel whole, RowSource test) {
        this.path = path;
        this.whole = whole;
        this.test = test;
        wholeEvaluation = Evaluation.of(whole, test, path.workers(), path.progress());
        speed = new PredictionSpeed(whole, test);
        measured.put(path.units(), of(whole, path.units(), 1));
    }

    /** Returns all measured models, the largest first. */
    List<PrunedModel> measured() {
        return List.copyOf(measured.values());
    }

    /** Measures the model of a size. */
    PrunedModel at(int count) {
        return measured.computeIfAbsent(count, size -> {
            KernelModel model = path.model(size);
            return of(model, size, speed.ratio(model));
        });
    }

    private PrunedModel of(KernelModel model, int count, double ratio) {
        Evaluation evaluation =
                model == whole ? wholeEvaluation : Evaluation.of(model, test, path.workers(), path.progress());
        double share = (double) count / path.units();
        double loss = PrunedModel.loss(evaluation, wholeEvaluation);
        return new PrunedModel(model, count, share, model.fileBytes(), evaluation, loss, ratio);
    }

    /**
     * Returns the smallest model whose loss is at most a limit. Sizes are tried from the largest down until one loses
     * more, then sizes between the last two.
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

    /** Returns the model of a size, after measuring some larger ones. */
    PrunedModel downTo(int count) {
        path.sizes(count).forEach(this::at);
        return at(Math.max(path.fewest(), count));
    }
}
