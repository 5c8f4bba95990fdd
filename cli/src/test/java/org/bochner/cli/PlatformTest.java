package org.bochner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bochner.base.DataException;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.FileSource;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The commands on a platform where names with {@code far:} stand for something else than files. */
class PlatformTest {
    private final Map<String, KernelModel> models = new HashMap<>();
    private final List<String> opened = new ArrayList<>();
    private final List<String> written = new ArrayList<>();

    private final class Far implements Platform {
        private DataOptions digits(DataOptions options) {
            opened.add(String.valueOf(options.channels().get("")));
            return DataOptions.of(Run.DIGITS.toString()).withLabel(options.label());
        }

        @Override
        public Optional<String> refusal(String option) {
            return option.equals("--threads") || option.equals("tune")
                    ? Optional.of("is not for far data")
                    : Optional.empty();
        }

        @Override
        public SurveyedSource open(DataOptions options, Progress progress) {
            return FileSource.open(digits(options));
        }

        @Override
        public SurveyedSource open(DataOptions options, Encoding encoding, Progress progress) {
            return FileSource.open(digits(options), encoding);
        }

        @Override
        public @Nullable Path local(String name) {
            return name.startsWith("far:") ? null : Path.of(name);
        }

        @Override
        public void checkWritable(String name) {
            if (models.containsKey(name)) {
                throw DataException.in(name, "exists");
            }
        }

        @Override
        public KernelModel load(String name) {
            KernelModel known = models.get(name);
            if (known == null) {
                throw new IllegalStateException("no " + name);
            }
            return known;
        }

        @Override
        public void save(KernelModel model, String name) {
            models.put(name, model);
        }

        @Override
        public boolean predict(
                KernelModel model,
                RowSource rows,
                PredictionForm form,
                String output,
                Workers workers,
                Progress progress) {
            written.add(output + " " + form.values() + " " + form.layout());
            return true;
        }

        @Override
        public Optional<String> explain(Throwable failure) {
            return Optional.of("far: " + failure.getMessage());
        }
    }

    private Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new Far(), new PrintWriter(out), new PrintWriter(err), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    @Test
    void readsDataAndKeepsModelsWhereThePlatformSays() {
        Run trained = run(
                "train",
                "far:digits",
                "--features",
                "64",
                "--scale",
                "none",
                "--kernel",
                "gaussian(sigma=40)",
                "--model",
                "far:model",
                "--json");
        assertEquals(0, trained.code(), trained.err());
        assertTrue(trained.out().contains("\"far:model\""), trained.out());
        assertEquals(0, run("evaluate", "far:model", "far:later").code());
        assertEquals(
                0,
                run("predict", "far:model", "far:later", "--scores", "--output", "far:out")
                        .code());
        assertEquals(List.of("far:digits", "far:later", "far:later"), opened);
        assertEquals(List.of("far:out SCORES CSV"), written);
        Run again = run("train", "far:digits", "--model", "far:model");
        assertEquals(1, again.code());
        assertEquals("bochner: far:model: exists", again.err().strip());
        Run same = run("train", "far:digits", "--model", "far:digits");
        assertEquals(2, same.code());
        assertTrue(same.err().contains("--model far:digits is also an input (DATA far:digits)"), same.err());
    }

    @Test
    void refusesCommandsAndOptionsWithoutMeaning() {
        Run option = run("train", "far:digits", "--threads", "2");
        assertEquals(2, option.code());
        assertTrue(option.err().startsWith("bochner: --threads is not for far data"), option.err());
        Run command = run("tune", "far:digits");
        assertEquals(2, command.code());
        assertTrue(command.err().startsWith("bochner: tune is not for far data"), command.err());
    }

    @Test
    void explainsFailuresOfThePlatform() {
        Run failed = run("evaluate", "far:absent", "far:digits");
        assertEquals(1, failed.code());
        assertEquals("bochner: far: no far:absent", failed.err().strip());
    }
}
