package org.bochner.spark;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;
import org.bochner.base.AtomicFile;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.cli.Platform;
import org.bochner.cli.PredictionForm;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.bochner.data.Encoding;
import org.bochner.data.RowSource;
import org.bochner.data.SurveyedSource;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Runs the commands on data that Spark reads. The session starts when data or models are first needed. */
final class SparkPlatform implements Platform {
    private static final Set<String> COMMANDS = Set.of("train", "evaluate", "predict");

    private static final String ONE_MACHINE = "has no effect on Spark; ";
    private static final String AS_CSV =
            "is not read by Spark's command; give the option of Spark's reader with --option";
    private static final String IN_VIEW = "is not read by Spark's command; ";

    /** Options without a meaning on Spark, with the reason and the remedy. */
    private static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry(
                    "--threads",
                    ONE_MACHINE + "use spark-submit --master local[N], or --executor-cores N on a cluster"),
            Map.entry("--labels", IN_VIEW + "join the labels as a column of a view, and read table:VIEW"),
            Map.entry("--test-labels", IN_VIEW + "join the labels as a column of a view, and read table:VIEW"),
            Map.entry("--channel", IN_VIEW + "join the files as a view, and read table:VIEW"),
            Map.entry("--test-channel", IN_VIEW + "join the files as a view, and read table:VIEW"),
            Map.entry("--decimal", AS_CSV + ", such as locale=de-DE"),
            Map.entry("--index-base", "is not read by Spark's command; Spark's LIBSVM files count from 1"),
            Map.entry("--missing", IN_VIEW + "replace missing values in a view, or leave the column out by --ignore"),
            Map.entry(
                    "--category-features", IN_VIEW + "categories are one-hot encoded; leave a column out by --ignore"),
            Map.entry("--date-features", IN_VIEW + "make dates numbers in a view"),
            Map.entry("--text", IN_VIEW + "make vectors of texts, for example with HashingTF of Spark ML"),
            Map.entry("--text-features", IN_VIEW + "make vectors of texts, for example with HashingTF of Spark ML"),
            Map.entry("--group", IN_VIEW + "give test rows of other groups by --test"),
            Map.entry("--set", IN_VIEW + "average the rows of each set in a view"));

    private final @Nullable SparkSession given;
    private final String title;
    private final JobProgress jobs = new JobProgress();
    private final Map<String, ShellFlags> flags = new HashMap<>();
    private final List<FrameSource> sources = new ArrayList<>();
    private @Nullable CommandLine line;
    private String format = "";
    private @Nullable SparkSession session;
    /** True after DATA was opened: further paths belong to it, and not to --test. */
    private boolean opened;

    /**
     * Creates a platform.
     *
     * @param given the session; null to start one
     * @param title the name of the application that is started
     */
    SparkPlatform(@Nullable SparkSession given, String title) {
        this.given = given;
        this.title = title;
    }

    @Override
    public void configure(CommandLine line) {
        this.line = line;
        line.getSubcommands().forEach((name, command) -> {
            if (COMMANDS.contains(name)) {
                flags.put(name, new ShellFlags(command.getCommandSpec(), name.equals("train") ? 1 : 2).add());
                command.setResourceBundle(new Descriptions());
            }
        });
        // The words of --format are the names of Spark's readers.
        line.registerConverter(DataFormat.class, text -> {
            format = text.equalsIgnoreCase("auto") ? "" : text.toLowerCase(Locale.ROOT);
            return DataFormat.AUTO;
        });
    }

    /** Returns the name of the command that runs. */
    private String command() {
        ParseResult parsed = Objects.requireNonNull(line).getParseResult();
        return parsed.subcommand().commandSpec().name();
    }

    /** Returns the flags of the command that runs. */
    private ShellFlags flags() {
        return Objects.requireNonNull(flags.get(command()));
    }

    /** Texts that differ from those of the command on one machine. */
    private static final class Descriptions extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            List<Object[]> texts = new ArrayList<>();
            texts.add(new Object[] {
                "format",
                "Format of DATA: parquet, orc, csv, json, libsvm or another name of Spark's reader. [default: by the names of"
                        + " the files]"
            });
            for (String place : List.of("DATA[0]", "DATA[0+]", "DATA[1]")) {
                texts.add(new Object[] {
                    place,
                    "File, folder or pattern that Spark reads, on this machine, HDFS or an object store; or table:NAME, a table"
                            + " or view of Spark's catalogue."
                });
            }
            REFUSED.forEach((flag, reason) ->
                    texts.add(new Object[] {flag.substring(2), "Refused on Spark: it " + reason + "."}));
            return texts.toArray(new Object[0][]);
        }
    }

    @Override
    public Optional<String> refusal(String option) {
        if (option.startsWith("-")) {
            return Optional.ofNullable(REFUSED.get(option));
        }
        return COMMANDS.contains(option)
                ? Optional.empty()
                : Optional.of("does not run on Spark; train, evaluate and predict do. Run 'bochner " + option
                        + "' on one machine");
    }

    private synchronized SparkSession session() {
        SparkSession known = session;
        if (known == null) {
            known = given == null ? start() : given;
            known.sparkContext().addSparkListener(jobs);
            session = known;
        }
        return known;
    }

    private SparkSession start() {
        SparkSession.Builder builder = SparkSession.builder();
        if (System.getProperty("spark.log.level") == null) {
            builder.config("spark.log.level", "ERROR");
        }
        String name = System.getProperty("spark.app.name", "");
        if (name.isEmpty() || name.equals(Bochner.class.getName())) {
            builder.appName(title);
        }
        return builder.getOrCreate();
    }

    /** Ends what the commands have started. */
    void close() {
        SparkSession known = session;
        if (known != null) {
            known.sparkContext().removeSparkListener(jobs);
            // The end of a session releases all rows. An interruption may have stopped it already, and then releasing
            // fails.
            if (given == null) {
                known.stop();
            } else {
                sources.forEach(FrameSource::release);
            }
        }
    }

    @Override
    public SurveyedSource open(DataOptions options, Progress progress) {
        jobs.show(progress);
        return kept(ShellReader.training(frame(options, 0), options));
    }

    @Override
    public SurveyedSource open(DataOptions options, Encoding encoding, Progress progress) {
        jobs.show(progress);
        int width = ShellReader.sparseFiles(encoding) ? encoding.columns() : 0;
        return kept(ShellReader.encoded(frame(options, width), options, encoding));
    }

    private FrameSource kept(FrameSource source) {
        sources.add(source);
        return source;
    }

    private ShellFrames.Frame frame(DataOptions options, int width) {
        String data = Objects.requireNonNull(options.channels().get(""));
        boolean main = !opened;
        opened = true;
        return new ShellFrames(session(), flags().options(), format)
                .read(data, main ? flags().more() : List.of(), options, width);
    }

    /** Returns true for names with a scheme such as {@code hdfs:}, and for tables. */
    private static boolean remote(String name) {
        return name.matches("[a-zA-Z][a-zA-Z0-9+.-]+:.*") && !name.startsWith("file:");
    }

    @Override
    public @Nullable Path local(String name) {
        if (remote(name)) {
            return null;
        }
        try {
            if (!name.startsWith("file:")) {
                return Path.of(name);
            }
            URI address = new org.apache.hadoop.fs.Path(name).toUri();
            if (address.getAuthority() != null) {
                throw DataException.in(
                        name,
                        "names the host '" + address.getAuthority() + "'; a file of this machine is file:///PATH");
            }
            return Path.of(address.getPath());
        } catch (IllegalArgumentException e) {
            throw DataException.in(name, "is not the name of a file: " + e.getMessage(), e);
        }
    }

    @Override
    public void checkWritable(String name) {
        Path file = local(name);
        boolean folder = writesFolder(name);
        try {
            if (file != null && !folder) {
                AtomicFile.checkWritable(file);
            }
            ShellOutput output = output(name);
            if (!folder && output.isFolder()) {
                throw DataException.in(name, "cannot be written: it is a folder");
            }
            requireApart(name, output);
            if (folder && output.isFile()) {
                throw DataException.in(name, "cannot be written: the output is a folder, and a file has its name");
            }
            if (output.exists() && !flags().overwrite()) {
                throw DataException.in(name, "exists already", Remedy.advice("--overwrite replaces it"));
            }
        } catch (IOException | IllegalArgumentException e) {
            throw DataException.in(name, "cannot be written: " + e.getMessage(), e);
        }
    }

    /** Fails if writing an output could replace or change an input, which is read while the output is written. */
    private void requireApart(String name, ShellOutput output) {
        for (String input : flags().inputs()) {
            if (overlaps(output, input)) {
                throw Platform.usage(name + " is, contains or lies in the input " + input + "; choose another output");
            }
        }
    }

    private boolean overlaps(ShellOutput output, String input) {
        if (input.startsWith(ShellFrames.TABLE) || input.equals("-")) {
            return false;
        }
        try {
            Path file = local(input);
            // Without a scheme, a model is on this machine, and data are where Spark keeps its files.
            return output.overlaps(new org.apache.hadoop.fs.Path(input), configuration())
                    || (file != null && output.overlaps(new org.apache.hadoop.fs.Path(file.toUri()), configuration()));
        } catch (IOException | IllegalArgumentException | DataException e) {
            // The reader of the input says what is wrong with its name.
            return false;
        }
    }

    /** Returns what a name stands for; without a scheme, a file is on this machine, and a folder where Spark keeps its files. */
    private ShellOutput output(String name) throws IOException {
        Path file = writesFolder(name) ? null : local(name);
        org.apache.hadoop.fs.Path path =
                file == null ? new org.apache.hadoop.fs.Path(name) : new org.apache.hadoop.fs.Path(file.toUri());
        return ShellOutput.of(path, configuration());
    }

    private Configuration configuration() {
        return session().sparkContext().hadoopConfiguration();
    }

    @Override
    public KernelModel load(String name) {
        Path file = local(name);
        if (file != null) {
            return KernelModel.load(file);
        }
        try {
            Path copy = Files.createTempFile("bochner", ".model");
            try {
                org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
                FileSystem system = path.getFileSystem(configuration());
                if (!system.exists(path)) {
                    throw DataException.in(name, "there is no such file");
                }
                system.copyToLocalFile(false, path, new org.apache.hadoop.fs.Path(copy.toUri()), true);
                return KernelModel.load(copy);
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw DataException.in(name, "cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void save(KernelModel model, String name) {
        Path file = local(name);
        if (file != null) {
            model.save(file);
            return;
        }
        try {
            Path copy = Files.createTempFile("bochner", ".model");
            try {
                model.save(copy);
                output(name)
                        .write(
                                flags().overwrite(),
                                (files, temporary) -> files.copyFromLocalFile(
                                        false, true, new org.apache.hadoop.fs.Path(copy.toUri()), temporary));
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (IOException e) {
            throw DataException.in(name, "cannot be written: " + e.getMessage(), e);
        }
    }

    /** Returns true if the command writes a folder, to which the executors write predictions. */
    private boolean writesFolder(String output) {
        return command().equals("predict") && (output.endsWith("/") || remote(output) || output.startsWith("file:"));
    }

    @Override
    public boolean predict(
            KernelModel model, RowSource rows, PredictionForm form, String output, Workers workers, Progress progress) {
        if (!writesFolder(output)) {
            return false;
        }
        jobs.show(progress);
        FrameSource frame = (FrameSource) rows;
        try {
            output(output)
                    .write(
                            flags().overwrite(),
                            (files, temporary) ->
                                    ShellPredictions.write(frame.converted(), model, form, temporary.toString()));
        } catch (IOException e) {
            throw DataException.in(output, "cannot be written: " + e.getMessage(), e);
        }
        return true;
    }

    @Override
    public Optional<String> explain(Throwable failure) {
        return SparkFailures.explain(failure);
    }
}
