package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What the shell offers when the completion script is loaded. */
class CompletionTest {
    private static final Path BASH = Path.of("/bin/bash");
    private static final Set<String> CATALOGUES =
            Set.of("--kernel", "--map", "--learner", "--scale", "--precision", "--per");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private static Path folder;

    @BeforeAll
    static void printTheScript() throws IOException {
        Files.writeString(
                folder.resolve("script"), Run.here("completion").worked().out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            trans                         | transform
            train x.csv --hold            | --holdout
            train x.csv --kernel gau      | gaussian
            train x.csv --kernel exp-c    | exp-chi2
            train x.csv --map orth        | orthogonal
            train x.csv --learner soft    | softmax
            train x.csv --scale unit      | unit-l1 unit-l2
            error x.csv --map tens        | tensor-sketch
            design --kernel jens          | jensen-shannon
            transform x.csv --scale min   | min-max
            mkl x.csv --kernel skewed-chi | skewed-chi2
            learn-kernel x.csv --per fr   | frequency
            train x.csv --scale quan      | quantile
            train x.csv --date-features c | cyclic
            cv x.csv --category-features o | one-hot
            cv x.csv --category-features m | means
            train x.csv --missing ind     | indicator
            """)
    void namesAreCompleted(String typed, String offered) throws IOException {
        assumeTrue(Files.isExecutable(BASH), "there is no bash");
        Process process = new ProcessBuilder(
                        BASH.toString(),
                        "-c",
                        "source " + folder.resolve("script") + "; COMP_WORDS=(bochner " + typed + ");"
                                + " COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=\"bochner " + typed + "\";"
                                + " COMP_POINT=${#COMP_LINE}; _complete_bochner; echo ${COMPREPLY[@]}")
                .start();
        Run run = Run.finish(process, new byte[0]).worked();
        assertEquals(List.of(offered.split(" ")), List.of(run.out().strip().split(" +")), run.err());
    }

    @Test
    void filesAreOfferedWhereNothingElseIs() throws IOException {
        String script = Files.readString(folder.resolve("script"));
        assertTrue(script.contains("complete -F _complete_bochner -o default bochner"), "files are not the default");
        assertFalse(script.contains("+o default"), "a command turns file names off");
    }

    /** The script has one list of words per label, so that two lists under one label would replace each other. */
    @Test
    void everyListHasALabelOfItsOwn() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            Set<String> labels = new HashSet<>();
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (option.completionCandidates() != null) {
                    assertTrue(labels.add(option.paramLabel()), command.getCommandName() + " " + option.longestName());
                }
            }
        }
    }

    @Test
    void everyFlagWithACatalogueOffersIt() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (CATALOGUES.contains(option.longestName())) {
                    assertNotNull(option.completionCandidates(), command.getCommandName() + " " + option.longestName());
                }
            }
        }
    }
}
