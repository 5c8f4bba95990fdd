package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SettingFlagsTest {
    @Test
    void everySettingIsAFlagOfACommandOrAnOptionOfTheVirtualMachine() {
        Set<String> flags = Main.commandLine().getSubcommands().values().stream()
                .flatMap(command -> command.getCommandSpec().optionsMap().keySet().stream())
                .collect(Collectors.toSet());
        assertTrue(Arrays.stream(Setting.values())
                .filter(setting -> setting != Setting.HEAP && setting != Setting.COPY_LIMIT)
                .map(setting -> SettingFlags.flag(setting).replaceFirst(" .*", ""))
                .allMatch(flags::contains));
    }

    @Test
    void theLibraryNamesMethodsAndTheCommandNamesFlags() {
        BochnerException failure = DataException.at(
                "a.csv",
                3,
                "the label is missing",
                Remedy.set(Setting.LABEL, "none", "if there are no labels"),
                Remedy.advice("fill it in"));
        assertEquals(
                "a.csv:3: the label is missing; DataOptions.withLabel(none) if there are no labels, or fill it in",
                failure.getMessage());
        assertEquals(
                "a.csv:3: the label is missing; --label none if there are no labels, or fill it in",
                SettingFlags.message(failure));
    }

    @Test
    void valuesThatAShellWouldSplitAreQuoted() {
        Note note = new Note(Note.Kind.DATA, "odd", Remedy.set(Setting.IGNORED, "a b", "leaves it out"));
        assertEquals("odd; --ignore 'a b' leaves it out", SettingFlags.text(note));
        note = new Note(Note.Kind.DATA, "odd", Remedy.set(Setting.CATEGORICAL, "it's", ""));
        assertEquals("odd; --categorical 'it'\\''s'", SettingFlags.text(note));
    }

    @Test
    void remediesThatTheCommandCannotApplyAreLeftOut() {
        BochnerException failure = new BochnerException(
                "odd\nlabel",
                Remedy.set(Setting.UNSEEN, "", "accepts it"),
                Remedy.set(Setting.LABEL, "none", "if there are no labels"),
                Remedy.advice("correct it"));
        assertEquals("odd\\nlabel; correct it", message(failure, "train"));
        assertEquals("odd\\nlabel; --unseen zeros accepts it, or correct it", message(failure, "evaluate"));
        assertEquals(
                "odd; --calibrate platt may help",
                message(new BochnerException("odd", Remedy.set(Setting.CALIBRATION, "platt", "may help")), "predict"));
        assertEquals("odd\\nlabel; --label none if there are no labels, or correct it", message(failure, "error"));
    }

    private static String message(BochnerException failure, String command) {
        CommandLine line =
                Objects.requireNonNull(Main.commandLine().getSubcommands().get(command));
        return SettingFlags.message(failure, line.getCommandSpec());
    }

    @Test
    void memoryIsAnOptionOfTheVirtualMachine() {
        BochnerException failure = new BochnerException("too large", Remedy.set(Setting.HEAP, "8g", "may do"));
        assertEquals("too large; BOCHNER_OPTS=-Xmx8g may do", SettingFlags.message(failure));
    }
}
