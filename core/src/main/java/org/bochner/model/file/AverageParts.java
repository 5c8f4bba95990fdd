package org.bochner.model.file;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Json;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.base.text.JsonObject;
import org.bochner.data.DataIdentity;
import org.bochner.data.format.IdentityJson;
import org.jspecify.annotations.Nullable;

/**
 * A weighted sum of models, {@code f(x) = c + Σ wₘ·fₘ(x)}. They are checked to fit together.
 *
 * @param weighted the members with their weights, at least one
 * @param intercepts c, one number per output
 * @param stacking how weights and intercepts were fitted; null for the mean of models
 */
public record AverageParts(
        List<Member> weighted,
        List<Double> intercepts,
        @Nullable Stacking stacking) implements CombinedParts {
    static final String TYPE = "average";
    private static final String OWNER = "average";
    private static final String MEMBER = "member";

    /**
     * One member.
     *
     * @param weight w, above 0, shared by all outputs
     */
    public record Member(ModelParts model, double weight) {
        public Member {
            Require.positive(OWNER, "weight", weight);
            Require.finite(OWNER, "weight", weight);
        }
    }

    /**
     * How the weights were fitted.
     *
     * @param data the rows
     * @param rows the number of rows
     * @param penalty the ridge penalty λ, divided by the weighted sum over rows and outputs of the squares of a member's centred scores,
     *     averaged over the members
     */
    public record Stacking(DataIdentity data, long rows, double penalty) {
        public Stacking {
            Require.that(rows >= 0, OWNER, "the number of rows must be at least 0, got " + rows);
            Require.notNegative(OWNER, "penalty", penalty);
        }
    }

    public AverageParts {
        weighted = List.copyOf(weighted);
        intercepts = List.copyOf(intercepts);
        Require.atLeast(OWNER, "members", weighted.size(), 1);
        ModelParts first = weighted.get(0).model();
        for (int m = 0; m < weighted.size(); m++) {
            ModelParts model = weighted.get(m).model();
            requireMember(m, model);
            CombinedParts.requireFit(name(m), model, name(0), first);
        }
        Require.sameSize(
                OWNER, "intercepts", intercepts.size(), first.requireLinear().outputs());
        intercepts.forEach(intercept -> Require.finite(OWNER, "intercept", intercept));
    }

    /** Returns the mean of models. */
    public static AverageParts mean(List<ModelParts> models) {
        Require.atLeast(OWNER, "members", models.size(), 1);
        List<Member> members = models.stream()
                .map(model -> new Member(model, 1.0 / models.size()))
                .toList();
        int outputs = models.get(0).requireLinear().outputs();
        return new AverageParts(members, Collections.nCopies(outputs, 0.0), null);
    }

    /** Throws if a model cannot be a member: it predicts nothing, or is a cascade or an average itself. */
    public static void requireMember(int index, ModelParts model) {
        CombinedParts combined = model.combined();
        if (model.linear() == null) {
            throw new BochnerException(name(index) + " predicts nothing; take models that predict");
        }
        if (combined != null && !combined.canBeMember()) {
            throw new BochnerException(name(index) + " is " + combined.description()
                    + ", whose scores cannot be averaged; take the models that it was made from");
        }
    }

    private static String name(int index) {
        return "member " + (index + 1) + " of the average";
    }

    @Override
    public List<ModelParts> members() {
        return weighted.stream().map(Member::model).toList();
    }

    @Override
    public ModelParts main() {
        return weighted.get(0).model();
    }

    @Override
    public String description() {
        return "an average of " + weighted.size() + (weighted.size() == 1 ? " model" : " models");
    }

    /**
     * Returns the saved form.
     *
     * @param ofMember returns the saved form of a member, without labels and encoding
     */
    State state(Function<ModelParts, State> ofMember) {
        State state = State.of(TYPE)
                .with("members", weighted.size())
                .with("weights", weighted.stream().mapToDouble(Member::weight).toArray())
                .with(
                        "intercepts",
                        intercepts.stream().mapToDouble(Double::doubleValue).toArray());
        if (stacking != null) {
            state.with("stacking.data", Json.write(stacking.data.toJson()))
                    .with("stacking.rows", Long.toString(stacking.rows))
                    .with("stacking.penalty", stacking.penalty);
        }
        for (int m = 0; m < weighted.size(); m++) {
            state.with(MEMBER + "." + m, ofMember.apply(weighted.get(m).model()));
        }
        return state;
    }

    /** Reads the saved form. */
    static AverageParts load(State state, Function<State, ModelParts> ofMember) {
        int count = state.count("members");
        double[] weights = state.array("weights", count);
        List<Member> members = new ArrayList<>();
        for (int m = 0; m < count; m++) {
            members.add(new Member(ofMember.apply(state.part(MEMBER + "." + m)), weights[m]));
        }
        Require.atLeast(OWNER, "members", count, 1);
        List<Double> intercepts = new ArrayList<>();
        int outputs = members.get(0).model().requireLinear().outputs();
        for (double intercept : state.array("intercepts", outputs)) {
            intercepts.add(intercept);
        }
        Stacking stacking = !state.has("stacking.rows")
                ? null
                : new Stacking(
                        IdentityJson.read(JsonObject.parse("stacking.data", state.text("stacking.data"))),
                        SavedModel.whole(state, "stacking.rows"),
                        state.number("stacking.penalty"));
        return new AverageParts(members, intercepts, stacking);
    }
}
