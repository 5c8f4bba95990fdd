package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bochner.data.ColumnNames;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class HelpTest {
    static Stream<String> commands() {
        return Main.commandLine().getSubcommands().keySet().stream().filter(name -> !name.equals("help"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isAPageForEveryCommand(String command) {
        Run help = Run.here("help", command).worked();
        assertEquals("", help.err());
        assertEquals(help.out(), Run.here(command, "--help").worked().out());
        for (String part : List.of("Usage: bochner " + command, "Exit codes", "Example", "--help", "--debug")) {
            assertTrue(help.out().contains(part), () -> part + " is not in " + help.out());
        }
    }

    /** The page of a command at a width. */
    private static String page(CommandLine command, int width) {
        return command.setUsageHelpAutoWidth(false).setUsageHelpWidth(width).getUsageMessage();
    }

    @Test
    void hasNoLineLongerThanTheTerminalAndNeverMoreThan100Columns() {
        List<CommandLine> pages =
                new ArrayList<>(Main.commandLine().getSubcommands().values());
        pages.add(Main.commandLine());
        for (CommandLine command : pages) {
            for (int width : new int[] {80, 90, 100, 200}) {
                page(command, width)
                        .lines()
                        .forEach(line -> assertTrue(line.length() <= Math.min(100, width), () -> width + ": " + line));
            }
        }
    }

    @Test
    void breaksLinesOnlyBetweenWords() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            // The widest page breaks its lines elsewhere than a narrow one; words in both are whole.
            String[] wide = page(command, 100).strip().split("\\s+");
            for (int width = 60; width < 100; width += 3) {
                assertArrayEquals(wide, page(command, width).strip().split("\\s+"), command.getCommandName());
            }
        }
    }

    @Test
    void listsEveryCommand() {
        Run help = Run.here("--help").worked();
        for (String command : Main.commandLine().getSubcommands().keySet()) {
            assertTrue(help.out().contains("\n  " + command + " "), command);
        }
    }

    @Test
    void tellsWhatEveryFlagIsFor() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                assertTrue(
                        option.hidden() || option.description().length > 0,
                        () -> option.longestName() + " has no description");
            }
        }
    }

    /** Every key that a JSON object has is in the help of the command that prints it. */
    @Test
    void namesTheKeysOfTheJson() {
        Run trained = Run.here(
                        "train", Run.DIGITS, "--holdout", 0.5, "--features", 20, "--scale", "none", "--json", "--quiet")
                .worked();
        assertNamed("train", trained);
        assertNamed(
                "learn-kernel",
                Run.here("learn-kernel", Run.DIGITS, "--holdout", 0.5, "--features", 20, "--iterations", 1, "--json")
                        .worked());
        assertNamed(
                "cv",
                Run.here("cv", Run.DIGITS, "--folds", 2, "--features", 20, "--json")
                        .worked());
        assertNamed(
                "error",
                Run.here("error", "--domain", "0:1", "--kernel", "gaussian(sigma=1)", "--features", 8, "--json")
                        .worked());
        assertNamed(
                "design",
                Run.here("design", "--kernel", "chi2", "--domain", "1:10", "--dimension", 3, "--json")
                        .worked());
    }

    private static void assertNamed(String command, Run run) {
        String help = Run.here("help", command).worked().out();
        for (Object key : run.json().keySet()) {
            assertTrue(Pattern.compile("\\b" + key + "\\b").matcher(help).find(), () -> key + " of " + command);
        }
    }

    @Test
    void namesEveryMap() {
        String help = Run.here("help", "train").worked().out();
        List<String> maps = List.of(help.substring(help.indexOf("\nMaps"), help.indexOf("\nLearners"))
                .split("[^a-z-]+"));
        for (String map : FeatureMaps.names()) {
            assertTrue(maps.contains(map), map);
        }
    }

    @Test
    void showsKernelsThatCanBeTyped() {
        Matcher spelling = Pattern.compile("'((gaussian|laplacian)[^']*)'")
                .matcher(Run.here("help", "train").worked().out()
                        + Run.here("help", "error").worked().out()
                        + Run.here("help", "design").worked().out());
        int found = 0;
        while (spelling.find()) {
            Kernels.recipe(spelling.group(1), ColumnNames.unread(List.of("shape", "colour"), false));
            found++;
        }
        assertTrue(found >= 3, "the examples have gone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V", "train --version", "inspect -V"})
    void saysWhichVersionItIs(String line) {
        Run run = Run.here((Object[]) line.split(" ")).worked();
        assertTrue(run.out().matches("bochner \\d+\\.\\d+\\.\\d+\\S* \\(Java \\d+\\)\\s+"), run.out());
    }

    @Test
    void completionIsAScriptThatKnowsTheCommands() {
        Run run = Run.here("completion").worked();
        assertEquals("", run.err());
        assertTrue(run.out().startsWith("#!/usr/bin/env bash"), run.out().substring(0, 80));
        for (String word : List.of("train", "--holdout", "evaluate", "complete ", "\"classify\"")) {
            assertTrue(run.out().contains(word), word);
        }
    }

    @Test
    void namesOfLearnersMapsAndKernelsLeadToTheHelpOfTrain() {
        Run.here("help", "lda")
                .refused(2, "unknown command 'lda'; it is a learner, and 'bochner help train' lists them");
        Run.here("help", "landmarks").refused(2, "it is a map, and 'bochner help train'");
        Run.here("gaussian").refused(2, "it is a kernel, and 'bochner help train'");
        Run.here("help", "trian").refused(2, "did you mean 'train'");
    }
}
