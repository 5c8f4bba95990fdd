package org.bochner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowSource;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.file.CascadeParts;
import org.bochner.numeric.Workers;
import org.bochner.stats.MappedRows;

/**
 * Evaluates a cascade: all stages score all rows, which gives the error of each stage by itself and of the rows that it
 * decides. Threads: not safe.
 */
final class StageCounter {
    /** The most numbers in the copies of rows, unless one block has more. */
    private static final long MOST_VALUES = 1 << 22;

    private final KernelModel model;
    private final CascadeParts cascade;
    private final int outputs;
    private final long[] decided;
    private final long[] wrong;
    private final long[] wrongAlone;
    /** Copies of the first rows, with which the stages are timed after the pass. */
    private final List<RowBlock> timed = new ArrayList<>();

    private long rows;

    StageCounter(KernelModel model, CascadeParts cascade) {
        this.model = model;
        this.cascade = cascade;
        outputs = model.linear().outputs();
        int count = cascade.stages().size();
        decided = new long[count];
        wrong = new long[count];
        wrongAlone = new long[count];
    }

    /** Counts all rows of a source, and passes the scores of the cascade on to a counter. */
    void run(RowSource source, Workers workers, Progress progress, RowCounter counter) {
        model.pass(source, workers).run(Bench::new, (block, bench) -> bench.score(block), (done, bench) -> {
            add(done.last().rows(), bench, counter);
            counter.add(done.last().rows(), bench.scores);
            progress.report("predicting", done.rows(), done.fraction());
        });
    }

    private void add(RowBlock block, Bench bench, RowCounter counter) {
        rows += block.rows();
        for (int i = 0; i < block.rows(); i++) {
            int actual = counter.actual(block.target(i, 0));
            decided[bench.decidedBy[i]]++;
            for (int s = 0; s < decided.length; s++) {
                boolean right = ClassRanking.highest(bench.logarithms[s], i, outputs) == actual;
                wrongAlone[s] += right ? 0 : 1;
                wrong[s] += right || bench.decidedBy[i] != s ? 0 : 1;
            }
        }
        if (timed.size() < PredictionSpeed.BLOCKS
                && timed.size() * (long) block.rows() * block.columns() < MOST_VALUES) {
            RowBlockBuilder copy = new RowBlockBuilder();
            copy.beginLike(block, false);
            for (int i = 0; i < block.rows(); i++) {
                copy.addRow(block, i);
            }
            timed.add(copy.build());
        }
    }

    /** Returns the counts of each stage. */
    List<CascadeStage> stages() {
        List<CascadeStage> counted = new ArrayList<>();
        List<CascadeStage> stages = model.stages();
        PredictionSpeed speed = new PredictionSpeed(model, timed);
        for (int s = 0; s < stages.size(); s++) {
            counted.add(new CascadeStage(
                    stages.get(s).model(),
                    stages.get(s).threshold(),
                    rows,
                    decided[s],
                    wrong[s],
                    wrongAlone[s],
                    speed.microseconds(stages.get(s).model())));
        }
        return List.copyOf(counted);
    }

    /** The working memory of one worker: the results of its last block. */
    private final class Bench {
        private final List<MappedRows> mapped =
                model.memberModels().stream().map(KernelModel::mapped).toList();
        private final double[][] logarithms = new double[mapped.size()][0];
        private int[] decidedBy = {};
        private double[] scores = {};
        private double[] ofStage = {};

        void score(MappedRows block) {
            int count = block.rows().rows();
            if (decidedBy.length < count) {
                decidedBy = new int[count];
                scores = new double[count * outputs];
            }
            Arrays.fill(decidedBy, 0, count, -1);
            for (int s = 0; s < mapped.size(); s++) {
                if (logarithms[s].length < count * outputs) {
                    logarithms[s] = new double[count * outputs];
                }
                ofStage = model.memberModels().get(s).score(mapped.get(s).take(block.rows()), ofStage);
                Calibration calibration = cascade.stages().get(s).calibration();
                for (int i = 0; i < count; i++) {
                    calibration.logarithms(ofStage, i, logarithms[s], i * outputs);
                }
                decide(s, count);
            }
        }

        private void decide(int stage, int count) {
            for (int i = 0; i < count; i++) {
                if (decidedBy[i] < 0 && cascade.decides(stage, logarithms[stage], i, outputs)) {
                    decidedBy[i] = stage;
                    System.arraycopy(logarithms[stage], i * outputs, scores, i * outputs, outputs);
                }
            }
        }
    }
}
