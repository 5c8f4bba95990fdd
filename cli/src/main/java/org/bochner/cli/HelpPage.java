package org.bochner.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Lays out help pages. Lines break at spaces only, so spellings such as {@code divide(by=255)} stay whole; the layout
 * of picocli breaks them at brackets, colons and points.
 */
final class HelpPage {
    /** The longest line, even on wider terminals, because longer lines are hard to read. */
    private static final int WIDEST = 100;

    /** The column where long names start, after a short one. */
    private static final int LONG_NAMES = 6;

    /** Options with longer names have their description on the next line. */
    private static final int LONGEST_NAMES = LONG_NAMES + 30;

    private static final int GAP = 3;

    /** The options of all commands, which come last. */
    private static final Set<String> COMMON = Set.of("--help", "--version", "--debug");

    private final Help help;
    private final CommandSpec command;
    private final int width;
    private final StringBuilder text = new StringBuilder();

    private HelpPage(Help help) {
        this.help = help;
        command = help.commandSpec();
        width = Math.min(WIDEST, command.usageMessage().width());
    }

    private interface Section {
        void write(HelpPage page);
    }

    private static IHelpSectionRenderer renderer(Section section) {
        return help -> {
            HelpPage page = new HelpPage(help);
            section.write(page);
            return page.text.toString();
        };
    }

    /** Sets the layout of a command's help page. */
    static void install(CommandLine line) {
        Map<String, IHelpSectionRenderer> sections = line.getHelpSectionMap();
        sections.put(
                UsageMessageSpec.SECTION_KEY_HEADER,
                renderer(page -> page.paragraphs(page.command.usageMessage().header())));
        sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, renderer(HelpPage::synopsis));
        sections.put(
                UsageMessageSpec.SECTION_KEY_DESCRIPTION,
                renderer(page -> page.paragraphs(page.command.usageMessage().description())));
        sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, renderer(HelpPage::parameters));
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, renderer(HelpPage::options));
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, renderer(HelpPage::commands));
        sections.put(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST, renderer(HelpPage::exitCodes));
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, renderer(HelpPage::footer));
    }

    /** The rest of the page: the text file of the command, with spellings, JSON keys and examples. */
    private void footer() {
        if (command.parent() == null || command.userObject() instanceof CommandLine.HelpCommand) {
            paragraphs(command.usageMessage().footer());
            return;
        }
        try (InputStream file = HelpPage.class.getResourceAsStream("help/" + command.name() + ".txt")) {
            line("");
            new String(Objects.requireNonNull(file, command.name()).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(each -> wrap(each, width).forEach(this::line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void line(String line) {
        text.append(line).append(System.lineSeparator());
    }

    /** Prints texts of several lines; a long line continues below its second column, or below its start. */
    private void paragraphs(String[] paragraphs) {
        for (String paragraph : paragraphs) {
            for (String each : formatted(paragraph).split("\n", -1)) {
                wrap(each, width).forEach(this::line);
            }
        }
    }

    private void synopsis() {
        String[] lines = command.usageMessage().customSynopsis();
        if (lines.length == 0) {
            text.append(help.synopsis(help.synopsisHeadingLength()));
            return;
        }
        int indent = help.synopsisHeadingLength();
        for (String each : lines) {
            List<String> wrapped = words(formatted(each).stripTrailing(), width - indent);
            for (int i = 0; i < wrapped.size(); i++) {
                line(i == 0 ? wrapped.get(0) : " ".repeat(2 * indent) + wrapped.get(i));
            }
            indent = 0;
        }
    }

    private void parameters() {
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            if (!parameter.hidden()) {
                String label =
                        parameter.arity().min() == 0 ? "[" + parameter.paramLabel() + "]" : parameter.paramLabel();
                entry(" ".repeat(LONG_NAMES) + label, parameter);
            }
        }
    }

    /** Prints the command's own options, then its groups, then the options of all commands. */
    private void options() {
        List<OptionSpec> own = new ArrayList<>();
        List<OptionSpec> common = new ArrayList<>();
        for (OptionSpec option : visible(command.options())) {
            if (option.group() == null) {
                (COMMON.contains(option.longestName()) ? common : own).add(option);
            }
        }
        if (!own.isEmpty()) {
            line("");
            line("Options");
            own.forEach(this::option);
        }
        List<ArgGroupSpec> groups = new ArrayList<>(command.argGroups());
        groups.sort(Comparator.comparingInt(ArgGroupSpec::order));
        for (ArgGroupSpec group : groups) {
            if (group.heading() != null) {
                text.append(formatted(group.heading()));
            }
            visible(group.options()).forEach(this::option);
        }
        line("");
        common.forEach(this::option);
    }

    /** Returns the visible options in the order of the source, unless they set another order. */
    private static List<OptionSpec> visible(List<OptionSpec> options) {
        return options.stream()
                .filter(option -> !option.hidden())
                .sorted(Comparator.comparingInt(OptionSpec::order))
                .toList();
    }

    private void option(OptionSpec option) {
        entry(names(option), option);
    }

    private static String names(OptionSpec option) {
        String names = String.join(", ", Arrays.asList(option.names()));
        return (option.shortestName().startsWith("--") ? " ".repeat(LONG_NAMES) : "  ")
                + names
                + (option.arity().max() == 0 ? "" : "=" + option.paramLabel());
    }

    /** Returns the column where descriptions start, on the whole page. */
    private int column() {
        int longest = 0;
        for (OptionSpec option : visible(command.options())) {
            int length = names(option).length();
            longest = length > LONGEST_NAMES ? longest : Math.max(longest, length);
        }
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            longest = Math.max(longest, LONG_NAMES + 2 + parameter.paramLabel().length());
        }
        return longest + GAP;
    }

    private void entry(String names, ArgSpec argument) {
        // Picocli has already resolved the formats of this text.
        entry(names, String.join(" ", argument.description()), column());
    }

    /** Prints names on the left and a description on the right. */
    private void entry(String names, String description, int column) {
        String shown = help.colorScheme().optionText(names).toString();
        List<String> lines = words(description, width - column);
        boolean apart = names.length() + 1 > column;
        line(apart ? shown : shown + " ".repeat(column - names.length()) + lines.get(0));
        for (String each : lines.subList(apart ? 0 : 1, lines.size())) {
            line(" ".repeat(column) + each);
        }
    }

    private void commands() {
        Map<String, String> known = new LinkedHashMap<>();
        command.subcommands()
                .forEach((name, line) -> known.put(
                        "  " + name,
                        String.join(" ", line.getCommandSpec().usageMessage().header())));
        entries(known, 2);
    }

    private void exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        command.usageMessage().exitCodeList().forEach((code, meaning) -> codes.put("  " + code, meaning));
        entries(codes, GAP);
    }

    private void entries(Map<String, String> entries, int gap) {
        int longest = entries.keySet().stream().mapToInt(String::length).max().orElse(0);
        entries.forEach((left, right) -> entry(left, formatted(right), longest + gap));
    }

    /** Returns the text of a command's format, in which %n is a new line. */
    private static String formatted(String format) {
        return String.format(format).replace("\r", "");
    }

    /** Returns a line of a text, with further lines below its second column if it has columns, else below its start. */
    private static List<String> wrap(String line, int width) {
        if (line.length() <= width) {
            return List.of(line);
        }
        int start = line.length() - line.stripLeading().length();
        int gap = line.indexOf("  ", start);
        int column = start;
        if (gap > 0) {
            column = gap
                    + line.substring(gap).length()
                    - line.substring(gap).stripLeading().length();
        }
        List<String> wrapped = new ArrayList<>();
        for (String each : words(line.substring(column), width - column)) {
            wrapped.add((wrapped.isEmpty() ? line.substring(0, column) : " ".repeat(column)) + each);
        }
        return wrapped;
    }

    /** Returns the text in lines of at most the width, unless a word is longer; leading spaces stay. */
    private static List<String> words(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > width) {
            int from = rest.length() - rest.stripLeading().length();
            int end = rest.lastIndexOf(' ', width);
            if (end <= from) {
                end = rest.indexOf(' ', from);
            }
            if (end < 0) {
                break;
            }
            lines.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }
}
