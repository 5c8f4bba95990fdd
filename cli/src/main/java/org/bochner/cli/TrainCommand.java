package org.bochner.cli;

import java.nio.file.Path;
import org.bochner.base.Json;
import org.bochner.data.DataFiles;
import org.bochner.data.DataOptions;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains a kernel machine and saves the model. */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Train a kernel machine from a data file.",
        customSynopsis = {
            "bochner train DATA [--holdout SHARE | --test DATA] [--kernel K]",
            "                     [--map M] [--features D] [--scale S] [--learner L]",
            "                     [--model FILE] [OPTION]..."
        },
        description = {
            "",
            "Reads DATA as a stream, maps each row to explicit features of the kernel, and learns linear functions"
                    + " of the"
                    + " features: one per class against all others, or one per number to predict. With ridge regression,"
                    + " the default, memory depends on the number of features, not on the number of rows. The same command"
                    + " gives the same model, byte for byte, for any number of threads.",
            "",
            "Results go to stdout, notes to stderr. The model is written at the end, completely or not at all."
        },
        footerHeading = "%nKernels%n",
        footer = {
            "  gaussian(sigma=S)     exp(-|x-y|^2 / (2 S^2))",
            "  laplacian(sigma=S)    exp(-|x-y|_1 / S)",
            "  cauchy(sigma=S)       product over columns of 1 / (1 + (x-y)^2 / S^2)",
            "  matern(nu=1.5, sigma=S), rational-quadratic(alpha=A, sigma=S), sech(sigma=S)",
            "  periodic(period=P, width=W)",
            "                        for angles: exp((cos(2 pi (x-y)/P) - 1) / W^2) in each column",
            "  exp-chi2(gamma=G)     for histograms: exp(-G sum (x-y)^2/(x+y)); also",
            "                        exp-intersection, exp-jensen-shannon, exp-hellinger, and",
            "                        laplace-chi2(beta=B) ... of the root of that distance",
            "  chi2, intersection, jensen-shannon, hellinger, linear",
            "                        sums over columns: 2xy/(x+y), min(x, y), ..., xy",
            "  skewed-chi2(c=C, power=P), skewed-intersection(c=C, power=P)",
            "                        products over columns, of ratios of (x+C)^P",
            "  polynomial(degree=2, gamma=G, c=1), arc-cosine(order=1)",
            "                        of the inner product: (G x.y + c)^2, ...",
            "  k1 + 0.5*k2           sums of kernels, with factors",
            "  k[0:64]               a kernel of columns 0 to 63",
            "  k1[0:2] * k2[2:3]     a product of shift-invariant kernels, each of its own columns",
            "  k[shape], k[*]        a kernel of a channel; one term per channel",
            "  k@log(c=1), k@sqrt    a kernel of log(x + c), or of the square root of x",
            "  sigma=[0:64=2, 64:364=3]    one sigma per range of columns",
            "  A missing sigma, gamma, beta or power is chosen by cross-validation on a sample of",
            "  the rows. A note on stderr says which value was chosen.",
            "",
            "Maps",
            "  fourier, orthogonal, quasi, structured",
            "                        any number of features; (phase) for cosines with random",
            "                        phases, (features=D) for the features of one channel",
            "  lp(dimension=5), lp(error=0.01), lp(dimension=5, weight=data), sampled(order=2),",
            "  chebyshev(terms=5), direct(terms=5), exact, unary(bins=20), piecewise(bins=20),",
            "  piecewise(bins=20, sparse)",
            "                        additive kernels, some features per column; lp also for 1",
            "                        to 3 columns of shift-invariant kernels",
            "  tensor-sketch, rectified",
            "                        polynomial, arc-cosine",
            "  orthogonal@sampled(order=2)",
            "                        kernels of a distance: second stage @ first stage",
            "  m1 + m2               one map per term of the kernel",
            "",
            "Learners",
            "  ridge(lambda=auto)    squared loss with a penalty on large weights; the default",
            "  lasso(lambda=auto), elastic-net(lambda=auto, ratio=0.5),",
            "  group-lasso(lambda=auto, groups=pairs)",
            "                        squared loss with penalties that make weights zero; groups are",
            "                        pairs (of one frequency), channels, or [0:10, 10:30]",
            "  svm(C=1), svm(C=1, loss=squared-hinge), logistic(l2=1), softmax(l2=1)",
            "                        classification",
            "  svr(C=1, epsilon=0.1), svr(C=1, epsilon=0.1, gamma=10), huber(l2=1, delta=1.35)",
            "                        regression; gamma makes the loss smooth",
            "  logistic(l1=0.5), svm(group=2, groups=pairs, loss=squared-hinge), ...",
            "                        any of the penalties l1, l2 (or C = 1/l2) and group. The",
            "                        objective is the sum of the losses + l1 |w|_1 + l2/2 |w|^2",
            "                        + group times the sum of |w_g| sqrt(size of g).",
            "  One penalty may be auto. If none is given, the usual penalty is auto.",
            "  solver=cg             ridge with too many features for their matrix",
            "  solver=stream         any learner, in a few passes over any number of rows;",
            "                        iterations=1 for one pass",
            "  tolerance=1e-4, iterations=100    when a solver stops. Ctrl-C stops it too and keeps",
            "                        the best model so far.",
            "",
            "JSON",
            "  data, rows, columns, task, classes, kernel, map, features, scaling, learner,",
            "  lambda (for C, 1/C), lambdaReason, lambdaPath: [{lambda, degreesOfFreedom,",
            "  trainingError, score}], solver: {method, iterations, objective, measure,",
            "  residual, tolerance, converged, end}, nonZeroFeatures, precision, seed, threads;",
            "  with test rows testRows and error (a fraction), accuracy, unseenClassRows, or",
            "  rmse, mae, r2; readSeconds (the first look at DATA), prepareSeconds (scaling,",
            "  scales of the kernel, map), fitSeconds (from rows to weights), of which",
            "  mapSeconds, gramSeconds and solveSeconds; memoryNeededBytes, peakMemoryBytes,",
            "  model, notes.",
            "",
            "Examples",
            "  bochner train digits.csv --holdout 0.2 --model digits.bochner",
            "  bochner train a9a --test a9a.t --kernel 'gaussian(sigma=3.16)' --features 2000",
            "  bochner train words.svm --scale unit-l1 --kernel chi2 --map 'sampled(order=1)'",
            "  bochner train hog.csv --scale unit-l1 --kernel exp-chi2 --features 4000",
            "  bochner train images.idx --labels labels.idx --scale 'divide(by=255)'",
            "  bochner train houses.csv --label price --task regress --categorical zip",
            "  bochner train --channel shape=a.csv --channel colour=b.csv --labels y.csv",
            "                --kernel 'gaussian[shape] + gaussian[colour]'",
            "  zcat big.libsvm.gz | bochner train - --model big.bochner"
        })
final class TrainCommand extends MachineCommand {
    @Option(names = "--model", paramLabel = "FILE", description = "Save the model to this file.")
    @Writes
    private @Nullable Path model;

    @Option(
            names = "--start",
            paramLabel = "MODEL",
            description = "Use the scaling and the map of this model, and start from its weights. --model may name the"
                    + " same file to update it.")
    @Reads(updatedBy = "--model")
    private @Nullable Path start;

    @Option(
            names = "--pca",
            paramLabel = "K",
            description = "Learn from K principal components of the features, or from as many as explain a share of the"
                    + " variance, such as 0.99 or 99%%. The model has weights for the features.")
    private @Nullable String pca;

    @Option(
            names = "--unlabelled",
            paramLabel = "DATA",
            description = "Compute the components of --pca from these rows too. Their labels are ignored.")
    @Reads
    private @Nullable String unlabelled;

    @Option(
            names = "--calibrate",
            paramLabel = "R",
            description = "Turn scores into probabilities: platt, temperature or isotonic, each with (folds=5) or"
                    + " (holdout=0.2). Or make the scores of many classes comparable: quantile, quantile(rank=500).")
    private @Nullable String calibrate;

    @Option(
            names = "--monitor",
            description = "Print one line per iteration on stderr; with --json, one JSON object per line on stdout,"
                    + " before the result.")
    private boolean monitor;

    @ArgGroup(validate = false, heading = TestFlags.HEADING, order = 4)
    private TestFlags testFlags = new TestFlags();

    @Override
    KernelMachine configured(KernelMachine machine) {
        return UsageException.orUsage(() -> {
            KernelMachine reduced = pca == null ? machine : machine.withComponents(pca);
            return calibrate == null ? reduced : reduced.withCalibration(calibrate);
        });
    }

    @Override
    public Integer call() {
        if (unlabelled != null && pca == null) {
            throw new UsageException("--unlabelled adds rows for the components of --pca; add --pca 500, for example");
        }
        DataOptions unlabelledOptions = unlabelled == null ? null : dataFlags().options(unlabelled);
        KernelModel from = start == null ? null : KernelModel.load(start);
        Session session = open(testFlags);
        KernelMachine machine = machine(session.source());
        if (unlabelledOptions != null) {
            machine = machine.withUnlabelled(
                    DataFiles.open(unlabelledOptions, session.source().encoding())
                            .withoutLabels());
        }
        KernelMachine started = from == null ? machine : machine.withStart(from);

        Talk talk = session.talk();
        try (Interruption interruption = new Interruption(talk)) {
            TrainingTalk.Lines lines = !monitor
                    ? TrainingTalk.Lines.NONE
                    : run().json() ? TrainingTalk.Lines.JSON : TrainingTalk.Lines.TEXT;
            TrainingTalk progress = new TrainingTalk(talk, lines, out(), interruption);
            // A map that does not fit the kernel shows only when the data have completed the kernel.
            TrainingResult trained =
                    UsageException.orUsage(() -> started.fit(session.training(), session.workers(), progress));
            Evaluation evaluation = session.evaluate(trained.model());
            if (model != null) {
                trained.model().save(model);
            }
            talk.clear();
            talk.say(trained.report().notes());
            TrainFindings findings = new TrainFindings(
                    session, trained, learningFlags().learner(), evaluation, testFlags.holdsOut(), model);
            if (!run().json()) {
                out().print(findings.text());
                out().flush();
                session.hint(model != null);
            } else if (monitor) {
                out().println(Json.write(findings.toMap()));
            } else {
                printJson(findings.toMap());
            }
            out().flush();
        }
        return Main.WORKED;
    }
}
