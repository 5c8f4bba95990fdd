package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** docs/command-line.md, which scripts rely on, leaves nothing out. */
class CommandLineDocumentTest {
    private static final Path DOCUMENT =
            Path.of(System.getProperty("bochner.repository", ".."), "docs", "command-line.md");

    @Test
    void namesEveryCommandAndFlag() throws IOException {
        String document = Files.readString(DOCUMENT);
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            assertTrue(document.contains("bochner " + command.getCommandName()), command.getCommandName());
            for (OptionSpec option : command.getCommandSpec().options()) {
                String flag = option.longestName();
                assertTrue(
                        document.contains("`" + flag + "`") || document.contains("`" + flag + " "),
                        command.getCommandName() + " " + flag);
            }
        }
    }
}
