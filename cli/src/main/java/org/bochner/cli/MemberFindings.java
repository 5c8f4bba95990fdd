package org.bochner.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.Spelling;
import org.bochner.data.Encoding;
import org.bochner.model.KernelModel;
import org.bochner.model.ModelMember;
import org.bochner.model.SplitTree;
import org.bochner.model.TrainingRecord;
import org.jspecify.annotations.Nullable;

/** Prints the models that an average or a tree is made of. */
final class MemberFindings {
    private MemberFindings() {}

    /** The columns of a direction that are printed. */
    private static final int SHOWN = 3;

    /** Returns what a model is made of, with a title; empty for other models. */
    static String text(KernelModel model) {
        List<ModelMember> members = model.members();
        if (members.isEmpty()) {
            return "";
        }
        String title = model.tree().isPresent() ? "Tree" : "Members";
        return Text.of("%n%s:%n", title)
                + model.tree().map(tree -> tree(model, tree)).orElseGet(() -> table(members));
    }

    /** Returns the number of machines of a tree. */
    static String machines(KernelModel model) {
        return Text.count(model.members().size(), "machine") + " with settings of their own, see the table below";
    }

    /** Returns a table with one line per split and leaf. */
    private static String tree(KernelModel model, SplitTree tree) {
        Table table = new Table();
        String strength =
                model.members().get(0).model().training().requireLearner().strengthName();
        table.line("node", "features", "scaling", "learner", strength, "rows");
        List<String> names = model.encoding().map(Encoding::columnNames).orElse(List.of());
        addNode(model, tree, names, tree.splits().isEmpty() ? -1 : 0, "", table);
        return table.toString();
    }

    private static void addNode(
            KernelModel model, SplitTree tree, List<String> names, int node, String indent, Table table) {
        if (node < 0) {
            ModelMember leaf = model.members().get(-1 - node);
            table.line(
                    indent + "leaf " + -node + ": " + kernel(leaf),
                    Text.count(leaf.model().map().outputDimension()),
                    leaf.model().scaler().toString(),
                    learner(leaf),
                    strength(leaf.model().training()),
                    Text.count(leaf.model().training().rows()));
            return;
        }
        SplitTree.Split split = tree.splits().get(node);
        String direction = direction(split, names);
        boolean sharp = split.low() == split.high();
        String low = Text.of("%.5g", split.low());
        table.line(indent + direction + (sharp ? " up to " + low : " below " + Text.of("%.5g", split.high())));
        addNode(model, tree, names, split.below(), indent + "  ", table);
        table.line(indent + direction + " above " + low);
        addNode(model, tree, names, split.above(), indent + "  ", table);
    }

    /** Returns the strength of the penalty; a dash for a leaf that predicts a constant. */
    private static String strength(TrainingRecord leaf) {
        double lambda = leaf.lambda();
        return lambda == 0 ? "-" : Text.number(leaf.requireLearner().spelled(lambda));
    }

    /** Returns the columns with the largest weights. */
    private static String direction(SplitTree.Split split, List<String> names) {
        List<Map.Entry<Integer, Double>> largest = split.direction().entrySet().stream()
                .sorted(Comparator.comparingDouble(entry -> -Math.abs(entry.getValue())))
                .limit(SHOWN)
                .toList();
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Integer, Double> entry : largest) {
            double weight = entry.getValue();
            text.append(text.isEmpty() ? (weight < 0 ? "-" : "") : weight < 0 ? " - " : " + ")
                    .append(weight == 1 ? "" : Text.of("%.4g ", Math.abs(weight)))
                    .append(name(names, entry.getKey()));
        }
        return text + (split.direction().size() > SHOWN ? " + ..." : "");
    }

    private static String name(List<String> names, int column) {
        boolean named = column < names.size() && !names.get(column).matches("\\d+");
        return named ? Spelling.line(names.get(column)) : "column " + column;
    }

    /** Returns the splits of a tree for JSON. */
    static List<Map<String, @Nullable Object>> json(SplitTree tree) {
        List<Map<String, @Nullable Object>> lines = new ArrayList<>();
        for (SplitTree.Split split : tree.splits()) {
            Map<String, @Nullable Object> direction = new LinkedHashMap<>();
            split.direction().forEach((column, weight) -> direction.put(Integer.toString(column), weight));
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("direction", direction);
            line.put("low", split.low());
            line.put("high", split.high());
            line.put("below", split.below());
            line.put("above", split.above());
            lines.add(line);
        }
        return lines;
    }

    /** Adds what a model is made of to a JSON object. */
    static void addTo(Map<String, Object> map, KernelModel model) {
        if (!model.members().isEmpty()) {
            map.put("members", json(model.members()));
        }
        model.tree().ifPresent(tree -> map.put("splits", json(tree)));
    }

    /** Returns a table with one line per member. */
    static String table(List<ModelMember> members) {
        Table table = new Table();
        table.line("member", "features", "learner", "seed", "weight");
        for (int m = 0; m < members.size(); m++) {
            ModelMember member = members.get(m);
            table.line(
                    (m + 1) + " " + kernel(member),
                    Text.count(member.model().map().outputDimension()),
                    learner(member),
                    Long.toString(member.model().training().seed().value()),
                    Text.number(member.weight()));
        }
        return table.toString();
    }

    static String kernel(ModelMember member) {
        String kernel = member.model().map().kernel().toString();
        return kernel.length() <= 40 ? kernel : kernel.substring(0, 37) + "...";
    }

    static String learner(ModelMember member) {
        return member.model().training().requireLearner().toString();
    }

    /** Returns the members for JSON. */
    static List<Map<String, @Nullable Object>> json(List<ModelMember> members) {
        List<Map<String, @Nullable Object>> lines = new ArrayList<>();
        for (ModelMember member : members) {
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("kernel", member.model().map().kernel().toString());
            line.put("map", member.model().training().map().toString());
            line.put("features", member.model().map().outputDimension());
            line.put("scaling", member.model().scaler().toString());
            line.put("learner", member.model().training().fittedLearner().toString());
            line.put("rows", member.model().training().rows());
            line.put("seed", member.model().training().seed().value());
            line.put("weight", member.weight());
            lines.add(line);
        }
        return lines;
    }
}
