package org.bochner.cli;

import java.nio.file.Path;
import java.util.List;
import org.bochner.base.AtomicFile;
import org.bochner.data.ColumnRange;
import org.bochner.data.DataOptions;
import org.bochner.model.KernelModel;
import org.bochner.tune.LearnedSum;
import org.bochner.tune.MultipleKernels;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Learns the weights of channels, each with a kernel of its own. */
@Command(
        name = "mkl",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Learn the weights of several kernels, one per channel of columns.",
        customSynopsis = {
            "bochner mkl DATA --channels 'a=0:76,b=76:292,...' [--kernel K]",
            "                   [--norm 1|P|average] [--joint] [--plain] [--lambda L]",
            "                   [--loss LOSS] [--features D] [--balanced]",
            "                   [--holdout SHARE | --test DATA] [--model FILE] [OPTION]..."
        },
        description = {
            "",
            "Multiple kernel learning: learns the weights d of the sum of the channels' kernels, d_1*k_1 +"
                    + " d_2*k_2 + ..., together with a model. Decreasing penalties are tried, and the penalty with the"
                    + " smallest cross-validated loss is chosen. With --norm 1, useless channels get the weight 0 and"
                    + " are not in the model. The square loss needs one pass over the rows for all penalties.",
            "",
            "The printed kernel can be given to train as --kernel. Ctrl-C stops with the best result so far."
        })
final class MklCommand extends DataCommand {
    @Option(names = "--model", paramLabel = "FILE", description = "Save the model to this file.")
    @Writes
    private @Nullable Path model;

    @Option(
            names = "--resume",
            paramLabel = "MODEL",
            description =
                    "Continue from this model of mkl, with its scaling and scales, at its penalty. Give the other flags as for"
                            + " the model. --model may name the same file, which is then replaced.")
    @Reads(updatedBy = "--model")
    private @Nullable Path resume;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Plot the weights of the channels, and the weights (with --joint also the scales) along the path of"
                            + " penalties, as .svg or .png.")
    @Writes(picture = true)
    private @Nullable Path plot;

    @ArgGroup(validate = false, heading = ChannelFlags.HEADING, order = 1)
    private ChannelFlags channelFlags = new ChannelFlags();

    @ArgGroup(validate = false, heading = TestFlags.HEADING, order = 4)
    private TestFlags testFlags = new TestFlags();

    @Override
    public Integer call() {
        KernelModel from = resume == null ? null : KernelModel.load(resume);
        channelFlags.continueFrom(from);
        DataOptions options = channelFlags.reading(options());
        List<ColumnRange> given = channelFlags.given(dataFlags().hasChannels());
        channelFlags.before(given, List.copyOf(options.channels().keySet()));
        Session session = open(options, channelFlags, testFlags);
        MultipleKernels fresh = channelFlags.recipe(
                channelFlags.known(session.source()),
                session.source().encoding().columnRanges());
        MultipleKernels recipe = from == null ? fresh : resumed(fresh, from, session);

        Talk talk = session.talk();
        try (Interruption interruption = new Interruption(talk)) {
            TrainingTalk progress = new TrainingTalk(talk, TrainingTalk.Lines.NONE, out(), interruption);
            // A map that does not fit the kernels shows only when the data have completed the kernels.
            LearnedSum learned =
                    UsageException.orUsage(() -> recipe.fit(session.training(), session.workers(), progress));
            MklFindings findings =
                    new MklFindings(session, recipe, learned, session.evaluate(learned.model()), resume, plot, model);
            AtomicFile.together(() -> {
                if (model != null) {
                    learned.model().save(model);
                }
                if (plot != null) {
                    MklPlot.of(recipe, learned).write(plot);
                }
            });
            talk.clear();
            talk.say(findings.notes());
            if (run().json()) {
                printJson(findings.toMap());
            } else {
                out().print(findings.text(testFlags.holdsOut()));
                out().flush();
                session.hint(model != null);
            }
            out().flush();
        }
        return Main.WORKED;
    }

    /** Returns the recipe that continues from a model; fails as wrong usage if flags or data do not fit the model. */
    private MultipleKernels resumed(MultipleKernels recipe, KernelModel from, Session session) {
        if (given("--lambda") != null) {
            throw new UsageException("--resume " + resume + " continues with the model's penalty and smaller ones;"
                    + " remove --lambda, or start again without --resume");
        }
        MultipleKernels resumed = UsageException.in("--resume " + resume, () -> {
            from.requireColumns(session.source());
            return recipe.withStart(from);
        });
        session.talk()
                .say(Text.of(
                        "continuing from %s: %s",
                        String.valueOf(resume), from.map().kernel()));
        return resumed;
    }
}
