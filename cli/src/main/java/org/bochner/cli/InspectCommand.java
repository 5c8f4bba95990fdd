package org.bochner.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.bochner.base.Spelling;
import org.bochner.data.ColumnRange;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.map.FeatureMaps;
import org.bochner.model.AdditiveCurves;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a model is, how it was made, and from what data. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Show what a model predicts, its settings and its training data.",
        customSynopsis = {"bochner inspect MODEL [--columns] [--json]"},
        description = {
            "",
            "Prints what the model predicts, its kernel, map, scaling and learner, the seed, the version that wrote it,"
                    + " and the name, size and SHA-256 checksum of its training data."
        })
final class InspectCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "MODEL", description = "A model that train saved, or a LIBSVM model file.")
    @SuppressWarnings("NullAway.Init") // picocli fills it
    @Reads
    private Path modelPath;

    @Option(
            names = "--columns",
            description =
                    "Also print one line per column of the training files: whether it holds numbers, categories, dates"
                            + " or texts, the columns of the model that it fills, what replaces missing cells, and how the scaling"
                            + " changes its values.")
    private boolean columns;

    @Option(names = "--json", description = "Print one JSON object on stdout instead of text.")
    private boolean json;

    @Override
    public Integer call() {
        KernelModel model = KernelModel.load(modelPath);
        boolean classes = model.labels() instanceof Labels.Classes;
        List<String> names = model.labels().names();
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("model", modelPath.toString());
            map.put("task", !model.predicts() ? "project" : classes ? "classify" : "regress");
            if (model.predicts()) {
                map.put(classes ? "classes" : "outputs", names);
            } else {
                map.put("components", ComponentFindings.json(model.transformer(), "pc"));
            }
            model.axes().ifPresent(axes -> map.put("axes", ComponentFindings.json(axes, "ld")));
            if (model.ofSets()) {
                map.put(
                        "setColumn",
                        model.encoding().flatMap(Encoding::setColumn).orElse(null));
            }
            if (!textColumns(model).isEmpty()) {
                map.put("textColumns", textColumns(model));
            }
            map.put("columns", model.columns());
            if (columns) {
                map.put("columnFacts", ColumnFindings.json(model));
            }
            map.put("features", model.map().outputDimension());
            if (AdditiveCurves.isCompiled(model)) {
                AdditiveCurves curves = AdditiveCurves.of(model, null, new Workers(1), Progress.NONE);
                Map<String, Object> compiled = new LinkedHashMap<>();
                compiled.put("form", curves.form());
                compiled.put("curves", curves.columns().size());
                compiled.put("knots", curves.knotCount());
                map.put("compiled", compiled);
            }
            boolean libsvm = TrainingFacts.isFromLibsvm(model);
            if (libsvm) {
                map.put("madeFrom", "libsvm");
                map.put(
                        "supportVectors",
                        model.map().dataRows() > 0 ? model.map().dataRows() : null);
                map.put("intercept", model.intercepts()[0]);
            } else if (model.map().dataRows() > 0) {
                boolean training = model.training().map().keepsTrainingRows();
                map.put("trainingRowsContained", training ? model.map().dataRows() : 0);
            }
            map.put("kernel", model.map().kernel().toString());
            List<Map<String, Object>> designs = FeatureMaps.designsAsJson(model.map());
            if (!designs.isEmpty()) {
                map.put("designs", designs);
            }
            map.put("scaling", model.scaler().toString());
            map.put("precision", model.precision().name().toLowerCase(Locale.ROOT));
            if (model.uncertainty().isPresent()) {
                map.put("uncertainty", TrainingFacts.json(model));
            }
            map.put("training", libsvm ? null : model.training().toJson());
            if (!model.stages().isEmpty()) {
                map.put("cascade", CascadeFindings.json(model.stages()));
            }
            MemberFindings.addTo(map, model);
            printJson(map);
            return 0;
        }
        int shown = Math.min(12, names.size());
        Facts facts = new Facts()
                .add(
                        "predicts",
                        !model.predicts()
                                ? "nothing; transform writes its principal components"
                                : (classes ? names.size() + " classes: " : "numbers: ")
                                        + names.subList(0, shown).stream()
                                                .map(Spelling::line)
                                                .collect(Collectors.joining(", "))
                                        + (shown < names.size() ? ", ..." : ""))
                .add("columns", model.columns());
        if (model.ofSets()) {
            String column = model.encoding()
                    .flatMap(Encoding::setColumn)
                    .map(name -> ", by column " + name)
                    .orElse("");
            facts.add("objects", "sets of rows" + column);
        }
        if (!textColumns(model).isEmpty()) {
            facts.add("texts", "in column " + String.join(", ", textColumns(model)));
        }
        TrainingFacts.add(model, facts);
        out().print(facts);
        if (!model.stages().isEmpty()) {
            out().println();
            out().println("Kernel, map and learner above are those of the last stage. Counts of "
                    + Text.count(model.stages().get(0).rows(), "held-out " + CascadeFindings.unit(model.stages()))
                    + ":");
            out().print(CascadeFindings.table(model.stages()));
        }
        if (!model.members().isEmpty()) {
            if (model.tree().isEmpty()) {
                out().println();
                out().println("Kernel, map and learner above are those of the first machine.");
            }
            out().print(MemberFindings.text(model));
        }
        if (columns) {
            out().println();
            out().print(ColumnFindings.table(model));
        }
        return 0;
    }

    /** Returns the names of the columns that hold texts. */
    private static List<String> textColumns(KernelModel model) {
        return model.encoding().stream()
                .flatMap(encoding -> encoding.textRanges().stream())
                .map(ColumnRange::name)
                .toList();
    }
}
