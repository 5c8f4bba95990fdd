package org.bochner.cli;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.numeric.Precision;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the failures and notes of the library with the command's flags in place of Java methods. */
final class SettingFlags {
    /** The commands that read data and need no labels. */
    private static final Set<String> UNLABELLED = Set.of("error", "predict", "transform");

    private SettingFlags() {}

    /** Returns the message of a failure, with flags for the settings that it names. */
    static String message(RuntimeException e) {
        return e instanceof BochnerException failure
                ? failure.message(SettingFlags::assignment)
                : String.valueOf(e.getMessage());
    }

    /** Returns the message of a failure, without remedies that the command cannot apply. */
    static String message(BochnerException e, CommandSpec command) {
        return e.message(remedy -> applies(remedy, command), SettingFlags::assignment);
    }

    /**
     * Returns true if a remedy may help. It may name a flag of another command: flags of training, for example, in a
     * failure of prediction.
     */
    private static boolean applies(Remedy remedy, CommandSpec command) {
        Setting setting = remedy.setting();
        if (setting == Setting.NO_LABEL) {
            return UNLABELLED.contains(command.name());
        }
        return setting != Setting.UNSEEN || command.findOption("--unseen") != null;
    }

    static String text(Note note) {
        return note.text(SettingFlags::assignment);
    }

    /** Returns the text of a note with its remedies in parentheses. */
    static String aside(Note note) {
        return note.text()
                + note.remedies().stream()
                        .map(remedy -> " (" + assignment(remedy) + " " + remedy.words() + ")")
                        .collect(Collectors.joining());
    }

    static List<String> texts(List<Note> notes) {
        return notes.stream().map(SettingFlags::text).toList();
    }

    /** Returns a setting and its value as they are typed, for example {@code --label none}. */
    static String assignment(Remedy remedy) {
        Setting setting = remedy.setting();
        if (setting == null) {
            return "";
        }
        Object value = remedy.value();
        String given = value == null ? placeholder(setting) : Text.quoted(word(value));
        return switch (setting) {
            case HEAP -> flag(setting) + (value == null ? given : given + "m");
            case COPY_LIMIT -> flag(setting) + "=" + given;
            default -> given.isEmpty() ? flag(setting) : flag(setting) + " " + given;
        };
    }

    private static String word(Object value) {
        if (value instanceof Boolean yes) {
            return yes ? "yes" : "no";
        }
        if (value instanceof Precision precision) {
            return precision == Precision.FLOAT64 ? "double" : "float";
        }
        return value instanceof Enum<?> constant ? Text.word(constant) : value.toString();
    }

    /** Returns the word for a value that users choose; empty if the flag alone is named. */
    private static String placeholder(Setting setting) {
        return switch (setting) {
            case CHANNEL -> "NAME=FILE";
            case CHARSET -> "NAME";
            case COLUMNS, LIBSVM_COLUMNS, SUBSAMPLE -> "N";
            case COPY_LIMIT -> "BYTES";
            case DELIMITER -> "C";
            case HEAP -> "SIZE";
            case LABEL, TEXT -> "COLUMN";
            case LABELS_FILE, TEST_LABELS_FILE -> "FILE";
            case RANGE -> "LOW:HIGH";
            default -> "";
        };
    }

    /** Returns the flag of a setting, or the part of {@code BOCHNER_OPTS} for settings of the virtual machine. */
    static String flag(Setting setting) {
        return switch (setting) {
            case CALIBRATION -> "--calibrate";
            case CATEGORICAL -> "--categorical";
            case CATEGORY_FEATURES -> "--category-features";
            case CHANNEL -> "--channel";
            case CHARSET -> "--encoding";
            case COLUMNS, LIBSVM_COLUMNS -> "--columns";
            case COMPONENTS -> "--pca";
            case COPY_LIMIT -> "BOCHNER_OPTS=-Dbochner.copy.limit";
            case CRITERION -> "--objective";
            case DATE_FEATURES -> "--date-features";
            case DECIMAL -> "--decimal";
            case DELIMITER -> "--delimiter";
            case FEATURES -> "--features";
            case FORMAT -> "--format";
            case GROUP -> "--group";
            case HEADER -> "--header";
            case HEAP -> "BOCHNER_OPTS=-Xmx";
            case IGNORED -> "--ignore";
            case JOINT -> "--joint";
            case KERNEL -> "--kernel";
            case LABEL -> "--label";
            case LABELS_FILE -> "--labels";
            case LANDMARKS -> "--landmarks";
            case LEARNED_SCALES -> "--learn-scales";
            case LEARNER -> "--learner";
            case MAP -> "--map";
            case MEMORY -> "--memory";
            case METHOD -> "--method";
            case MISSING -> "--missing mean";
            case MISSING_INDICATORS -> "--missing indicator";
            case NORM -> "--norm";
            case NO_LABEL -> "--label none";
            case NO_OUTPUT_HEADER -> "--no-header";
            case PLAIN -> "--plain";
            case POSITIVE -> "--positive";
            case PRECISION -> "--precision";
            case RANGE -> "--domain";
            case SEARCH_ALL_ROWS -> "--no-sample";
            case SCALE_L1 -> "--scale-l1";
            case SCALE_L2 -> "--scale-l2";
            case SCALING -> "--scale";
            case SCORES -> "--scores";
            case SEED -> "--seed";
            case SET -> "--set";
            case START -> "--start";
            case STEPS -> "--steps";
            case SUBSAMPLE -> "--subsample";
            case TASK -> "--task";
            case TEXT -> "--text";
            case TEXT_FEATURES -> "--text-features";
            case TEST_LABELS_FILE -> "--test-labels";
            case UNCERTAINTY -> "--uncertainty";
            case UNIVERSAL -> "--universal";
            case UNSEEN -> "--unseen zeros";
        };
    }
}
