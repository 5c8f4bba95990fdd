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
import org.bochner.data.DataOptions;
import org.bochner.data.Task;
import org.bochner.numeric.Precision;
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
                Remedy.set(Setting.NO_LABEL, "if there are no labels"),
                Remedy.advice("fill it in"));
        assertEquals(
                "a.csv:3: the label is missing; DataOptions.withLabel(\"none\") if there are no labels, or fill it in",
                failure.getMessage());
        assertEquals(
                "a.csv:3: the label is missing; --label none if there are no labels, or fill it in",
                SettingFlags.message(failure));
    }

    @Test
    void valuesAreJavaInTheLibraryAndWordsInTheCommand() {
        assertRemedy(
                "KernelMachine.withPrecision(Precision.FLOAT64)",
                "--precision double",
                Remedy.set(Setting.PRECISION, Precision.FLOAT64, ""));
        assertRemedy("DataOptions.withHeader(true)", "--header yes", Remedy.set(Setting.HEADER, true, ""));
        assertRemedy(
                "DataOptions.withTask(Task.REGRESS)", "--task regress", Remedy.set(Setting.TASK, Task.REGRESS, ""));
        assertRemedy(
                "DataOptions.withDecimal(DataOptions.Decimal.COMMA)",
                "--decimal comma",
                Remedy.set(Setting.DECIMAL, DataOptions.Decimal.COMMA, ""));
        assertRemedy(
                "DataOptions.withIgnored(List.of(\"a \\\"b\\\"\"))",
                "--ignore 'a \"b\"'",
                Remedy.set(Setting.IGNORED, "a \"b\"", ""));
        assertRemedy("KernelMachine.withMap(\"auto\")", "--map auto", Remedy.set(Setting.MAP, "auto", ""));
        assertRemedy("KernelMachine.withSeed(new Seed(5L))", "--seed 5", Remedy.set(Setting.SEED, 5L, ""));
        assertRemedy("DataOptions.withChannel(name, file)", "--channel NAME=FILE", Remedy.set(Setting.CHANNEL, ""));
        assertRemedy("KernelMachine.withStart", "--start", Remedy.set(Setting.START, ""));
        assertRemedy("the JVM option -Xmx", "BOCHNER_OPTS=-XmxSIZE", Remedy.set(Setting.HEAP, ""));
        assertRemedy(
                "the system property bochner.copy.limit",
                "BOCHNER_OPTS=-Dbochner.copy.limit=BYTES",
                Remedy.set(Setting.COPY_LIMIT, ""));
    }

    private static void assertRemedy(String java, String flag, Remedy remedy) {
        Note note = new Note(Note.Kind.DATA, "odd", remedy);
        assertEquals("odd; " + java, note.toString());
        assertEquals("odd; " + flag, SettingFlags.text(note));
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
                Remedy.set(Setting.UNSEEN, "accepts it"),
                Remedy.set(Setting.NO_LABEL, "if there are no labels"),
                Remedy.advice("correct it"));
        assertEquals("odd\\nlabel; correct it", message(failure, "cv"));
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
        BochnerException failure = new BochnerException("too large", Remedy.set(Setting.HEAP, 8192, "may do"));
        assertEquals("too large; BOCHNER_OPTS=-Xmx8192m may do", SettingFlags.message(failure));
    }
}
