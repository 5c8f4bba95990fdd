package org.bochner.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.bytes.Input;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.format.ColumnEncoding;
import org.bochner.data.format.DataSettings;
import org.bochner.data.format.DataTable;
import org.bochner.data.format.LabelChoice;
import org.bochner.data.format.LabelEncoding;
import org.bochner.data.format.LabelSurvey;
import org.bochner.data.format.Npz;
import org.bochner.data.format.Part;
import org.bochner.data.format.PartEncoding;
import org.bochner.data.format.Survey;
import org.jspecify.annotations.Nullable;

/** Opens data files: finds their formats, surveys or matches them, and joins them row by row. */
final class DataFiles {
    private DataFiles() {}

    static FileSource open(DataOptions given, Function<String, Input> inputs) {
        requireFiles(given.settings);
        DataSettings options = Npz.resolve(given.settings);
        LabelSurvey labels = new LabelSurvey(options);
        List<DataTable> tables = new ArrayList<>();
        options.channels.forEach((channel, path) -> tables.add(DataTable.of(inputs.apply(path), channel, options)));
        int labelled = options.labelsFile == null ? labelHolder(options, tables) : -1;
        int weighted = holder(tables, options.rowWeight);
        int grouped = holder(tables, options.group);
        int inSets = holder(tables, options.set);
        requireColumns("categorical", options.categorical, tables);
        if (!options.text.isEmpty() && tables.stream().noneMatch(table -> table.format() == DataFormat.CSV)) {
            throw tables.get(0).noText();
        }
        boolean byMeans = options.categoryFeatures instanceof CategoryFeatures.Means;
        if (byMeans && tables.stream().noneMatch(table -> table.format() == DataFormat.CSV)) {
            throw tables.get(0).noCategories();
        }
        requireColumns("text", options.text, tables);
        requireColumns("ignored", options.ignored, tables);
        List<Part> parts = new ArrayList<>();
        List<Survey> surveys = new ArrayList<>();
        for (int t = 0; t < tables.size(); t++) {
            DataTable table = tables.get(t);
            LabelChoice label = t == labelled ? LabelChoice.of(options) : LabelChoice.Word.NONE;
            String weight = t == weighted ? options.rowWeight : null;
            String group = t == grouped ? options.group : null;
            String set = t == inSets ? options.set : null;
            surveys.add(table.survey(label, weight, group, set, labels, parts));
        }
        if (options.labelsFile != null) {
            DataTable table = DataTable.ofLabels(inputs.apply(options.labelsFile), options);
            parts.add(table.labelsPart());
            surveys.add(table.surveyLabels(labels));
        }
        long rows = surveys.get(0).rows();
        for (int i = 1; i < surveys.size(); i++) {
            long others = surveys.get(i).rows();
            if (others != rows) {
                throw FileCursor.unequal(parts.get(0).file(), rows, parts.get(i).file(), others);
            }
        }
        String labelFile =
                parts.get(labelled >= 0 ? labelled : parts.size() - 1).file();
        LabelEncoding labelEncoding = labels.finish(labelFile);
        parts.replaceAll(part -> part.withTargets(labelEncoding.labels()));
        List<PartEncoding> encodings = surveys.stream()
                .map(survey -> survey.encoding().withTargets(labelEncoding.labels()))
                .filter(part -> part.totalColumns() > 0)
                .toList();
        if (encodings.size() < tables.size()) {
            throw DataException.in(
                    tables.get(0).file(),
                    "has no column besides the label",
                    Remedy.set(Setting.NO_LABEL, "if it is no label"),
                    Remedy.set(Setting.DELIMITER, "names the character that separates its cells"));
        }
        Notes notes = new Notes();
        surveys.forEach(survey -> notes.addAll(survey.notes()));
        Encoding encoding = new Encoding(encodings, labelEncoding, options.missingFilled);
        if (byMeans) {
            int part = IntStream.range(0, encodings.size())
                    .filter(p -> encodings.get(p).needsMeans())
                    .findFirst()
                    .orElse(0);
            CategoryMeans.check(encoding, tables.get(part).file(), inSets >= 0, notes);
        }
        if (encoding.hasText()) {
            noteRounding(encodings, notes);
        }
        FileSource.Surveyed surveyed = new FileSource.Surveyed(
                rows,
                surveys.stream().map(Survey::identity).toList(),
                Arrays.stream(labels.counts()).boxed().toList(),
                labels.reason(),
                notes.list());
        return new FileSource(parts, encoding, surveyed, true, List.of());
    }

    /** Notes the columns of numbers far from 0: sparse rows have no origin, so the numbers lose digits in float32. */
    private static void noteRounding(List<PartEncoding> encodings, Notes notes) {
        for (PartEncoding part : encodings) {
            for (ColumnEncoding column : part.columns()) {
                if (column.origin() != 0) {
                    notes.data(
                            "column '" + column.name()
                                    + "' has numbers far from 0, which are rounded to float32 because"
                                    + " rows with texts are sparse",
                            Remedy.advice("subtract a constant from the column first to keep all digits"));
                }
            }
        }
    }

    static FileSource open(DataOptions given, Encoding encoding, Function<String, Input> inputs) {
        requireFiles(given.settings);
        DataSettings options = Npz.resolve(given.settings);
        List<Part> parts = new ArrayList<>();
        if (options.missingIndicators && !encoding.fillsMissing()) {
            throw new BochnerException(
                    "the model has no columns for missing values, because missing values were refused in training",
                    Remedy.set(Setting.MISSING, "fills them in"));
        }
        if (options.channels.size() != encoding.parts().size()) {
            throw new BochnerException(
                    "the model was trained on " + encoding.parts().size() + " channels joined, but "
                            + options.channels.size() + " are given",
                    channelRemedies(encoding));
        }
        List<DataTable> tables = new ArrayList<>();
        for (PartEncoding part : encoding.parts()) {
            tables.add(DataTable.of(inputs.apply(path(options, encoding, part)), part, options));
        }
        requireIgnorable(options, encoding, tables);
        int labelled = labelHolder(options, encoding, tables);
        List<FileSource.Carried> carried = new ArrayList<>();
        List<List<Integer>> carriedCells = carried(options, encoding, labelled, tables, carried);
        for (int t = 0; t < tables.size(); t++) {
            LabelChoice label = label(options, t == labelled);
            parts.add(tables.get(t).match(encoding.parts().get(t), encoding, label, carriedCells.get(t)));
        }
        if (options.labelsFile != null) {
            DataTable table = DataTable.ofLabels(inputs.apply(options.labelsFile), options);
            parts.add(table.labelsPart());
        }
        return new FileSource(parts, encoding, FileSource.Surveyed.NOT, true, carried);
    }

    private static LabelChoice label(DataSettings options, boolean holdsLabels) {
        return options.labelsFile == null && holdsLabels ? LabelChoice.of(options) : LabelChoice.Word.NONE;
    }

    /**
     * Finds the carried columns: adds a description of each to the list, and returns the indices of their cells per
     * file.
     */
    private static List<List<Integer>> carried(
            DataSettings options,
            Encoding encoding,
            int labelled,
            List<DataTable> tables,
            List<FileSource.Carried> columns) {
        List<List<Integer>> cells = new ArrayList<>();
        tables.forEach(table -> cells.add(new ArrayList<>()));
        for (String name : options.carried) {
            int t = holder(tables, name);
            int cell = -1;
            if (encoding.setColumn().filter(name::equals).isPresent()) {
                // In a file without a header, the column of the set ids has its position, not its name.
                int holder = encoding.setPart();
                LabelChoice label = label(options, holder == labelled);
                cell = tables.get(holder).setCellByPosition(encoding.parts().get(holder), encoding, label);
                t = cell < 0 ? t : holder;
            }
            cell = cell < 0 ? tables.get(t).cell("such", name) : cell;
            List<String> names = tables.get(t).names();
            String shown = names.isEmpty() ? name.strip() : names.get(cell);
            columns.add(new FileSource.Carried(shown, t, cells.get(t).size()));
            cells.get(t).add(cell);
        }
        return cells;
    }

    private static String path(DataSettings options, Encoding encoding, PartEncoding part) {
        Map<String, String> paths = options.channels;
        String path = encoding.parts().size() == 1 ? paths.values().iterator().next() : paths.get(part.channel());
        if (path != null) {
            return path;
        }
        throw new BochnerException(
                "no file is given for the channel '" + part.channel() + "'", channelRemedies(encoding));
    }

    private static Remedy[] channelRemedies(Encoding encoding) {
        List<String> names = encoding.channels().stream().map(ColumnRange::name).toList();
        Remedy files = Remedy.set(Setting.CHANNEL, "is needed for " + String.join(", ", names));
        return names.isEmpty() ? new Remedy[0] : new Remedy[] {files};
    }

    private static void requireFiles(DataSettings options) {
        if (options.channels.isEmpty()) {
            throw new BochnerException("no data file is given");
        }
        long inputs = Stream.concat(options.channels.values().stream(), Stream.ofNullable(options.labelsFile))
                .filter(Input.STANDARD_INPUT::equals)
                .count();
        if (inputs > 1) {
            throw new BochnerException("the standard input (-) can be one of the files only");
        }
    }

    /** Returns the index of the file that holds the labels: the first whose header names them, else the first. */
    private static int labelHolder(DataSettings options, List<DataTable> tables) {
        LabelChoice label = LabelChoice.of(options);
        if (label instanceof LabelChoice.Columns columns) {
            return holder(tables, columns.parts().get(0));
        }
        return label == LabelChoice.Word.NONE ? -1 : 0;
    }

    /**
     * Returns the index of the file that holds the labels of data read by an encoding: the one of training unless a
     * label is named.
     */
    private static int labelHolder(DataSettings options, Encoding encoding, List<DataTable> tables) {
        if (LabelChoice.of(options) != LabelChoice.Word.AUTO) {
            return labelHolder(options, tables);
        }
        return IntStream.range(0, tables.size())
                .filter(t -> !encoding.parts().get(t).layout().labelPlaces().isEmpty())
                .findFirst()
                .orElse(0);
    }

    /** Returns the index of the first file whose header has the name, or 0 if none has it; -1 if the name is null. */
    private static int holder(List<DataTable> tables, @Nullable String name) {
        if (name == null) {
            return -1;
        }
        return IntStream.range(0, tables.size())
                .filter(t -> tables.get(t).names().contains(name.strip()))
                .findFirst()
                .orElse(0);
    }

    private static void requireColumns(String what, List<String> names, List<DataTable> tables) {
        for (String name : names) {
            if (tables.stream().noneMatch(table -> table.names().contains(name))) {
                // Fails with a list of the columns unless the name is an index.
                tables.get(0).cell(what, name);
            }
        }
    }

    /**
     * Fails if a column to leave out does not exist, or if the model needs it. Columns that training left out are
     * always allowed: the same options may be used for training and for later files.
     */
    private static void requireIgnorable(DataSettings options, Encoding encoding, List<DataTable> tables) {
        for (String name : options.ignored) {
            List<PartEncoding> parts = encoding.parts();
            if (parts.stream().anyMatch(part -> part.layout().ignoredNames().contains(name))) {
                continue;
            }
            int holder = holder(tables, name);
            // Fails with a list of the columns unless the text is a name or an index.
            int cell = tables.get(holder).cell("ignored", name);
            PartEncoding part = parts.get(holder);
            boolean named = tables.get(holder).names().contains(name);
            boolean extra = named
                    ? part.columns().stream().noneMatch(column -> column.name().equals(name))
                    : part.layout().ignored().contains(cell);
            if (!extra) {
                String why = named
                        ? ": the model was trained on it"
                        : " by its index; give the name of a column that the training data lacked";
                throw DataException.in(tables.get(holder).file(), "column '" + name + "' cannot be left out" + why);
            }
        }
    }
}
