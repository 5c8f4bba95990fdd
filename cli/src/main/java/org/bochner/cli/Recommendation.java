package org.bochner.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bochner.base.Setting;
import org.bochner.model.ComparedMethod;

/**
 * The recommendation of a comparison in words, with the command that trains the method.
 *
 * @param training the words of a command that trains on DATA
 * @param kernel the kernel of the comparison
 * @param classes true for classification
 */
record Recommendation(List<String> training, String kernel, boolean classes, List<ComparedMethod> methods) {
    @Override
    public String toString() {
        List<ComparedMethod> near = ComparedMethod.nearBest(methods);
        Optional<ComparedMethod> best = ComparedMethod.best(methods);
        if (near.isEmpty() || best.isEmpty()) {
            return "No method could be trained.";
        }
        ComparedMethod chosen = near.get(0);
        String measure = classes ? "error" : "rmse";
        StringBuilder text = new StringBuilder(
                near.size() == 1
                        ? Text.of(
                                "Recommended: %s. Its %s, %s, is the lowest, and no other method is within one standard"
                                        + " error of it.",
                                chosen.name(), measure, error(chosen))
                        : Text.of(
                                "Recommended: %s (%s %s). It has the smallest model of the %d methods within one"
                                        + " standard error of the lowest %s, %s (%s).",
                                chosen.name(),
                                measure,
                                error(chosen),
                                near.size(),
                                measure,
                                error(best.get()),
                                best.get().name()));
        near.stream()
                .min(Comparator.comparingDouble(ComparedMethod::fitSeconds))
                .filter(fastest -> fastest.fitSeconds() < chosen.fitSeconds() / 2)
                .ifPresent(fastest -> text.append(Text.of(
                        " The fastest fit among them is %s: %.2f s instead of %.2f s.",
                        fastest.name(), fastest.fitSeconds(), chosen.fitSeconds())));
        if (chosen.settings().isPresent()) {
            appendCommand(text, chosen);
            return text.toString();
        }
        text.append(" train does not have this method.");
        ComparedMethod.best(methods.stream()
                        .filter(method -> method.settings().isPresent())
                        .toList())
                .ifPresent(own -> {
                    text.append(Text.of(
                            "%nThe lowest %s of the methods that train has is %s (%s).",
                            measure, error(own), own.name()));
                    appendCommand(text, own);
                });
        return text.toString();
    }

    private void appendCommand(StringBuilder text, ComparedMethod method) {
        method.settings()
                .ifPresent(settings -> text.append(System.lineSeparator())
                        .append(settings.containsKey(Setting.SUBSAMPLE) ? "Train it: " : "Train it on all rows: ")
                        .append(command(settings)));
    }

    private String error(ComparedMethod method) {
        return Text.error(classes, method.errorOrRmse());
    }

    private String command(Map<Setting, Object> settings) {
        List<String> words = new ArrayList<>(training);
        if (!settings.containsKey(Setting.KERNEL) && !kernel.equals(Recipes.DEFAULT_KERNEL)) {
            words.addAll(List.of("--kernel", kernel));
        }
        settings.forEach((setting, value) -> words.addAll(List.of(SettingFlags.flag(setting), value.toString())));
        words.addAll(List.of("--model", "FILE"));
        return words.stream().map(Text::quoted).collect(Collectors.joining(" "));
    }
}
