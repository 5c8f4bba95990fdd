package org.bochner.model;

import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.model.file.AverageParts;
import org.bochner.stats.MappedRows;

/** Scores blocks of rows by a weighted sum of models. */
final class AverageScorer extends BlockScorer {
    private final List<Member> members;
    private final double[] weights;
    private final double[] intercepts;

    AverageScorer(AverageParts parts, List<KernelModel> members) {
        this.members = members.stream().map(Member::new).toList();
        weights = parts.weighted().stream()
                .mapToDouble(AverageParts.Member::weight)
                .toArray();
        intercepts =
                parts.intercepts().stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    double[] score(MappedRows mapped, double[] reused) {
        RowBlock block = mapped.rows();
        int outputs = intercepts.length;
        int count = block.rows() * outputs;
        double[] result = reused.length < count ? new double[count] : reused;
        for (int i = 0; i < count; i++) {
            result[i] = intercepts[i % outputs];
        }
        for (int m = 0; m < weights.length; m++) {
            double[] own = members.get(m).score(block);
            for (int i = 0; i < count; i++) {
                result[i] += weights[m] * own[i];
            }
        }
        return result;
    }
}
