package org.bochner.model.file;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.model.SplitTree;

/**
 * A tree of machines: the score of a row is the sum of the scores of the leaves' machines, times the row's shares in the
 * leaves. They are checked to fit together.
 *
 * @param tree the splits
 * @param leaves the machines of the leaves, in their order
 */
public record TreeParts(SplitTree tree, List<Leaf> leaves) implements CombinedParts {
    static final String TYPE = "tree";
    private static final String OWNER = "tree";
    private static final String LEAF = "leaf";

    /**
     * One leaf.
     *
     * @param model the machine
     * @param rows the number of training rows with a share in the leaf
     */
    public record Leaf(ModelParts model, long rows) {}

    public TreeParts {
        leaves = List.copyOf(leaves);
        Require.sameSize(OWNER, "leaves", leaves.size(), tree.leaves());
        ModelParts first = leaves.get(0).model();
        for (int l = 0; l < leaves.size(); l++) {
            ModelParts model = leaves.get(l).model();
            String name = "leaf " + (l + 1) + " of the tree";
            if (model.linear() == null || model.combined() != null || model.ofSets()) {
                throw new BochnerException(name + " needs a single model that predicts rows");
            }
            Require.that(leaves.get(l).rows() >= 0, OWNER, "the number of rows of a leaf must be at least 0");
            CombinedParts.requireFit(name, model, "leaf 1 of the tree", first);
        }
        Require.sameSize(OWNER, "columns", first.map().inputDimension(), tree.columns());
    }

    @Override
    public boolean canBeMember() {
        return true;
    }

    @Override
    public List<ModelParts> members() {
        return leaves.stream().map(Leaf::model).toList();
    }

    @Override
    public ModelParts main() {
        // The machine of a leaf with one class has no weights.
        return members().stream()
                .filter(leaf -> leaf.requireLinear().nonZeros() > 0)
                .findFirst()
                .orElse(leaves.get(0).model());
    }

    @Override
    public String description() {
        return "a tree of " + leaves.size() + (leaves.size() == 1 ? " machine" : " machines");
    }

    /**
     * Returns the saved form.
     *
     * @param ofLeaf returns the saved form of a machine, without labels and encoding
     */
    State state(Function<ModelParts, State> ofLeaf) {
        State state = State.of(TYPE).with("splits", tree.state());
        for (int l = 0; l < leaves.size(); l++) {
            state.with(
                    LEAF + "." + l,
                    ofLeaf.apply(leaves.get(l).model())
                            .with("rows", Long.toString(leaves.get(l).rows())));
        }
        return state;
    }

    /** Reads the saved form. */
    static TreeParts load(State state, Function<State, ModelParts> ofLeaf) {
        SplitTree tree = SplitTree.load(state.part("splits"));
        List<Leaf> leaves = new ArrayList<>();
        for (int l = 0; l < tree.leaves(); l++) {
            State leaf = state.part(LEAF + "." + l);
            leaves.add(new Leaf(ofLeaf.apply(leaf), SavedModel.whole(leaf, "rows")));
        }
        return new TreeParts(tree, leaves);
    }
}
