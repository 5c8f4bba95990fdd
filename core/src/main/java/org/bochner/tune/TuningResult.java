package org.bochner.tune;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.model.TrainingResult;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Tuning}: the best machine or an average of several, trained on all rows, and all machines that were
 * compared.
 *
 * @param trained the model of the best machine, or of the average, and the report of its training
 * @param learnedKernel the kernel of the best machine with its scales, as {@link org.bochner.model.KernelMachine#of}
 *     takes it; null if they are chosen in its training, or if an average was trained. If the scaling of the model has a matrix, the kernel needs that scaling
 * @param winner the trial of the best machine
 * @param average the average of machines that was trained in place of the best one; null if that one was
 * @param leaderboard all trials, the best ones first: those that were tested on the largest samples and the most folds come
 *     first, and within them those with the smallest error
 * @param metric the name of the error that machines are compared by, such as {@code rmse}
 * @param gainOverLinear the error of the linear model minus that of the best machine, on the same held-out rows
 * @param gainStandardError the standard error of {@code gainOverLinear}
 * @param end why the search ended, in words
 * @param trials the number of machines that were tested, without the constant and the linear model
 * @param reusedTests the number of tests that were taken from the log of an earlier search
 * @param searchSeconds wall time of the search, without the training of the best machine
 * @param trainSeconds wall time of the training of the best machine on all rows
 * @param notes the choices of the search and of the training
 * @param logFailure why the log is not complete; null if it is, or if there is none
 */
public record TuningResult(
        TrainingResult trained,
        @Nullable String learnedKernel,
        Trial winner,
        @Nullable Average average,
        List<Trial> leaderboard,
        String metric,
        double gainOverLinear,
        double gainStandardError,
        String end,
        int trials,
        int reusedTests,
        double searchSeconds,
        double trainSeconds,
        List<Note> notes,
        @Nullable BochnerException logFailure) {
    public TuningResult {
        leaderboard = List.copyOf(leaderboard);
        notes = List.copyOf(notes);
    }

    /** Returns true if the error of the best machine is more than one standard error below that of the linear model. */
    public boolean beatsLinear() {
        return gainOverLinear > gainStandardError;
    }

    /**
     * An average of machines, and its error on held-out rows, which took no part in choosing its members and weights.
     *
     * @param members its members, that of the largest weight first, which are those of the model
     * @param error the error on the held-out rows
     * @param standardError the standard error of {@code error}
     * @param single the error of the best machine on the same rows
     * @param relative the error divided by that of the constant on the same rows
     * @param rows the rows of the sample
     * @param testedRows the held-out rows of that sample
     */
    public record Average(
            List<Member> members,
            double error,
            double standardError,
            double single,
            double relative,
            long rows,
            long testedRows) {
        public Average {
            members = List.copyOf(members);
        }
    }

    /**
     * A member of an average.
     *
     * @param trial the machine
     * @param weight its weight
     * @param learnedKernel the kernel with its scales; null if the trial says all
     */
    public record Member(
            Trial trial, double weight, @Nullable String learnedKernel) {}

    /**
     * One machine of a search, and its error on held-out rows.
     *
     * @param number the number of the trial, from 1; 0 for the constant and the linear model, which every search has
     * @param kernel the spelling of the kernel; null if it was left open, as in {@code train} without a kernel;
     *     {@code constant} for the constant
     * @param map the spelling of the map
     * @param features the number of features; 0 for the default of the map
     * @param scaling the spelling of the scaling; null if it was chosen by cross-validation
     * @param learner the spelling of the learner
     * @param method the method by which scales were learned; null for none
     * @param rows the rows of the largest sample that the machine was tested on
     * @param testedRows the held-out rows of that sample
     * @param error the error on them
     * @param standardError the standard error of {@code error}
     * @param relative the error divided by that of the constant on the same rows
     * @param seconds wall time of all tests of the machine
     * @param failure why the machine cannot be trained; null if it can. Its error is NaN if it failed
     */
    public record Trial(
            int number,
            @Nullable String kernel,
            String map,
            int features,
            @Nullable String scaling,
            String learner,
            @Nullable String method,
            long rows,
            long testedRows,
            double error,
            double standardError,
            double relative,
            double seconds,
            @Nullable String failure) {
        /** Returns true for the constant: the mean, or the most frequent class. */
        public boolean isConstant() {
            return number == 0 && "constant".equals(kernel);
        }

        /** Returns true for the linear model that every search has. */
        public boolean isLinear() {
            return number == 0 && !isConstant();
        }
    }
}
