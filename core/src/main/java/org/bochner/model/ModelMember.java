package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.model.file.AverageParts;
import org.bochner.model.file.CombinedParts;
import org.bochner.model.file.TreeParts;
import org.jspecify.annotations.Nullable;

/**
 * One of the models that a model is made of ({@link KernelModel#members}).
 *
 * @param model the member, which can be used by itself
 * @param weight the factor of the member's scores in an average; the share of the training rows that a leaf of a tree has
 */
public record ModelMember(KernelModel model, double weight) {
    /** Returns the members of an average or a tree; none of other models. */
    static List<ModelMember> of(@Nullable CombinedParts combined, List<KernelModel> models) {
        List<ModelMember> weighted = new ArrayList<>();
        if (combined instanceof AverageParts average) {
            for (AverageParts.Member member : average.weighted()) {
                weighted.add(new ModelMember(models.get(weighted.size()), member.weight()));
            }
        }
        if (combined instanceof TreeParts tree) {
            double rows = tree.leaves().stream().mapToLong(TreeParts.Leaf::rows).sum();
            for (TreeParts.Leaf leaf : tree.leaves()) {
                weighted.add(new ModelMember(models.get(weighted.size()), leaf.rows() / Math.max(1, rows)));
            }
        }
        return List.copyOf(weighted);
    }
}
