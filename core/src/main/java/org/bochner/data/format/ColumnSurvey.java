package org.bochner.data.format;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.DataOptions;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.cell.Cell;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.ColumnOrigin;
import org.bochner.data.cell.DateFeatures;
import org.bochner.data.cell.DatePart;
import org.bochner.data.cell.Decimal;
import org.bochner.data.cell.DecimalRule;
import org.bochner.data.cell.Dictionary;
import org.bochner.data.cell.Notation;
import org.bochner.data.cell.NotationSurvey;
import org.bochner.data.cell.WrittenNumber;
import org.bochner.data.text.TextFeatures;
import org.bochner.data.text.TextHasher;
import org.jspecify.annotations.Nullable;

/**
 * Reads all cells of one column of a table and decides whether they are numbers, dates or categories, and how a missing
 * cell is replaced. Texts are only checked, because the user names their columns.
 */
public final class ColumnSurvey {
    /**
     * A column of names with more categories than this, most of which occur once, holds identifiers, names or free text.
     */
    static final int MOST_CATEGORIES_OF_FEW_ROWS = 100;

    /** The fewest rows in which a column that rises by 1 from row to row is taken for a row number. */
    static final int FEWEST_COUNTED = 50;

    private static final Remedy REPLACED =
            Remedy.set(Setting.MISSING, "fills in the column's mean, or its most frequent category");
    /** What else users can do about a missing value of the training data. */
    static final Remedy MARKED =
            Remedy.set(Setting.MISSING_INDICATORS, "also adds a column that marks the missing values");

    private enum Kind {
        UNKNOWN,
        NUMBERS,
        DATES,
        CATEGORIES,
        /** More categories than the dictionary holds, in fewer than twice as many rows. */
        IDENTIFIERS,
        TEXTS
    }

    /** The state that all columns of a file share during the survey, because there may be millions of columns. */
    record Shared(
            TableShape shape,
            DataSettings options,
            boolean fill,
            DataOptions.Decimal asked,
            Decimal decimal,
            WrittenNumber written) {
        /** Creates the shared state of the columns of a file. */
        Shared(TableShape shape, DataSettings options) {
            this(shape, options, options.missingFilled, options.decimal, new Decimal(), new WrittenNumber());
        }
    }

    private final Shared shared;
    private final int cell;
    private final boolean declared;
    /** How a text becomes columns; null if the user does not say that the column holds texts. */
    private final @Nullable TextFeatures text;

    private Kind kind;
    private @Nullable Dictionary categories;
    private @Nullable NotationSurvey notations;
    private boolean points;
    private final ColumnOrigin origin = new ColumnOrigin();
    private double sum;
    private long count;
    private long plain;
    /** True if a cell of a column of texts is not empty. */
    private boolean written;

    private long firstLine;
    private long missing;
    /** The text in a missing cell; empty if all of them are empty. */
    private String missingText = "";
    /** The last plain number, and whether each was one more than the number before it. */
    private double lastNumber;

    private boolean counting = true;
    /** True if there are more categories than the dictionary holds, which are hashed. */
    private boolean overflown;

    /**
     * Creates the survey of a column.
     *
     * @param declared true if the user says that the column holds categories
     * @param text how a text becomes columns; null if the user does not say that the column holds texts
     */
    ColumnSurvey(Shared shared, int cell, boolean declared, @Nullable TextFeatures text) {
        this.shared = shared;
        this.cell = cell;
        this.declared = declared;
        this.text = text;
        this.kind = text != null ? Kind.TEXTS : declared ? Kind.CATEGORIES : Kind.UNKNOWN;
    }

    /** Returns the index of the column's cell in a row. */
    int cell() {
        return cell;
    }

    private String file() {
        return shared.shape.file();
    }

    private Cell cell(ByteFeed feed, int from, int to, long line) {
        return new Cell(feed, from, to, line, shownName());
    }

    private String shownName() {
        return shared.shape.name(cell);
    }

    void add(ByteFeed feed, int from, int to, long line) {
        byte[] bytes = feed.bytes;
        if (text != null) {
            cell(feed, from, to, line).requireText();
            written |= from < to;
            // One text with n-grams suffices.
            count += count == 0 && new TextHasher(text).hash(bytes, from, to) > 0 ? 1 : 0;
            return;
        }
        if (kind == Kind.NUMBERS || kind == Kind.UNKNOWN) {
            Decimal decimal = shared.decimal;
            double value = decimal.parse(bytes, from);
            if (decimal.end == to && from < to) {
                if (!(Math.abs((float) value) <= Float.MAX_VALUE)) {
                    throw outOfRange(cell(feed, from, to, line));
                }
                points |= decimal.pointed;
                sum += value;
                counting &= plain == 0 || value == lastNumber + 1;
                lastNumber = value;
                plain++;
                origin.add(value);
                if (kind == Kind.UNKNOWN) {
                    kind = Kind.NUMBERS;
                    firstLine = line;
                }
                if (decimal.pointed && shared.asked == DataOptions.Decimal.COMMA) {
                    String shown = Cells.shown(bytes, from, to);
                    throw cell(feed, from, to, line)
                            .problem("'" + shown + "' has a decimal point, not a decimal comma as asked for");
                }
                return;
            }
        }
        if (kind == Kind.CATEGORIES && categories != null && categories.count(bytes, from, to)) {
            count++;
            return;
        }
        if (Cells.missing(bytes, from, to)) {
            if (!shared.fill) {
                throw missing(cell(feed, from, to, line), REPLACED, MARKED);
            }
            missing++;
            if (missingText.isEmpty() && from < to) {
                missingText = Cells.shown(bytes, from, to).strip();
            }
            return;
        }
        if (kind == Kind.IDENTIFIERS || (!declared && addWritten(feed, from, to, line))) {
            return;
        }
        addText(feed, from, to, line);
    }

    /** Adds a cell that is a number with signs, or a date; returns false if it is neither. */
    private boolean addWritten(ByteFeed feed, int from, int to, long line) {
        if (kind == Kind.CATEGORIES) {
            return false;
        }
        NotationSurvey survey = notations == null ? new NotationSurvey(shared.written) : notations;
        if (kind != Kind.DATES && survey.addNumber(feed.bytes, from, to)) {
            notations = survey;
            requireOneNotation(survey, feed, from, to, line);
            begin(Kind.NUMBERS, line);
        } else if (kind != Kind.NUMBERS && survey.addDate(feed.bytes, from, to)) {
            notations = survey;
            begin(Kind.DATES, line);
        } else {
            return false;
        }
        count++;
        return true;
    }

    private void begin(Kind found, long line) {
        if (kind == Kind.UNKNOWN) {
            kind = found;
            firstLine = line;
        }
    }

    private void requireOneNotation(NotationSurvey survey, ByteFeed feed, int from, int to, long line) {
        boolean mixedSigns = survey.mixesSigns() || (points && survey.sureOfComma());
        if (survey.mixesUnits() || mixedSigns) {
            Cell cell = cell(feed, from, to, line);
            String other = survey.mixesUnits()
                    ? "' has another sign than the numbers before it"
                    : "' has a decimal comma or point, and the numbers before it have the other sign";
            throw cell.problem("'" + cell.shown() + other, remedies());
        }
        if (!(survey.largest(feed.bytes, from, to) <= Float.MAX_VALUE)) {
            throw outOfRange(cell(feed, from, to, line));
        }
    }

    private void addText(ByteFeed feed, int from, int to, long line) {
        byte[] bytes = feed.bytes;
        if (kind == Kind.UNKNOWN && !Cells.infinite(bytes, from, to)) {
            begin(Kind.CATEGORIES, line);
        }
        if (kind != Kind.CATEGORIES || (!declared && isNumberOrDate(bytes, from, to))) {
            throw notOfItsKind(cell(feed, from, to, line));
        }
        Dictionary known = categories == null ? new Dictionary() : categories;
        categories = known;
        if (overflown) {
            cell(feed, from, to, line).requireText();
            count++;
            return;
        }
        if (!known.add(bytes, from, to)) {
            cell(feed, from, to, line).requireText();
        }
        count++;
        if (known.size() > Dictionary.LARGEST) {
            boolean identifiers = !declared && known.size() > count / 2;
            if (!identifiers && shared.options.categoryFeatures instanceof CategoryFeatures.Hash) {
                overflown = true;
                return;
            }
            if (!identifiers) {
                Remedy ignore = Remedy.set(Setting.IGNORED, name(), "leaves the column out");
                Remedy words = Remedy.set(Setting.TEXT, name(), "counts their words");
                Remedy hash = Remedy.set(Setting.CATEGORY_FEATURES, CategoryFeatures.DEFAULT.toString(), "hashes them");
                throw cell(feed, from, to, line)
                        .problem("more than " + Dictionary.LARGEST + " different texts", hash, words, ignore);
            }
            kind = Kind.IDENTIFIERS;
            categories = null;
        }
    }

    private boolean isNumberOrDate(byte[] bytes, int from, int to) {
        return shared.decimal.isNumber(bytes, from, to)
                || NotationSurvey.isNumber(bytes, from, to, shared.written)
                || NotationSurvey.isDate(bytes, from, to);
    }

    private DataException notOfItsKind(Cell cell) {
        String shown = "'" + cell.shown() + "'";
        if (kind != Kind.CATEGORIES && cell.infinite()) {
            return cell.problem("the value must be finite, got " + shown);
        }
        cell.requireText();
        if (kind == Kind.NUMBERS) {
            return cell.problem(shown + " is no number, but cells before it are", remedies());
        }
        if (kind == Kind.DATES) {
            return cell.problem(shown + " is no date, or one in another form than the cells before it", remedies());
        }
        boolean date = NotationSurvey.isDate(cell.feed().bytes, cell.from(), cell.to());
        String what = date ? " is a date" : " is a number";
        Remedy[] header = {Remedy.set(Setting.HEADER, true, "if line 1 names the columns")};
        return cell.problem(
                shown + what + ", but line " + firstLine + " has text there",
                Stream.concat(Stream.of(remedies()), Stream.of(header).filter(remedy -> firstLine == 1))
                        .toArray(Remedy[]::new));
    }

    private String name() {
        return shared.shape.plainName(cell);
    }

    /** Returns what users can do about a column that is neither numbers nor text throughout. */
    private Remedy[] remedies() {
        return new Remedy[] {
            Remedy.set(Setting.CATEGORICAL, name(), "makes categories of them all"),
            Remedy.set(Setting.IGNORED, name(), "leaves the column out")
        };
    }

    /** Returns true if a number of the column can only have a decimal comma. */
    boolean sureOfComma() {
        return notations != null && notations.sureOfComma();
    }

    /** Returns true if a number of the column can only have a decimal point. */
    boolean sureOfPoint() {
        return points || (notations != null && notations.sureOfPoint());
    }

    /** Returns true if the column holds identifiers, names or free text, from which nothing can be learned. */
    boolean identifiers() {
        return kind == Kind.IDENTIFIERS
                || (!declared
                        && categories != null
                        && categories.size() > MOST_CATEGORIES_OF_FEW_ROWS
                        && 2L * categories.size() > count);
    }

    /** Returns true if all rows have the same number or category. */
    boolean constant() {
        return missing == 0
                && (kind == Kind.CATEGORIES
                        ? categories != null && categories.size() == 1 && count > 1
                        : notations == null && origin.constant());
    }

    /** Returns the number of distinct texts, in words. */
    String categoriesInWords() {
        return categories == null
                ? CategoryChoice.inWords(0, true)
                : CategoryChoice.inWords(categories.size(), overflown);
    }

    /** Returns the failure of a column of texts without a single n-gram. */
    private DataException noText(TextFeatures features) {
        if (!written) {
            return DataException.in(
                    file(),
                    "column " + shownName() + " is empty in all rows",
                    Remedy.set(Setting.TEXT, "must name a column with texts"));
        }
        String problem = "column " + shownName() + " has no n-gram of " + features + " in any row";
        if (features.unit() != TextFeatures.Unit.WORDS) {
            return DataException.in(file(), problem, Remedy.advice("count shorter n-grams, with a smaller n"));
        }
        Remedy shorter = Remedy.set(Setting.TEXT_FEATURES, "words(min-length=1)", "counts shorter words");
        Remedy chars = Remedy.set(Setting.TEXT_FEATURES, "chars", "counts characters");
        return features.minLength() > 1
                ? DataException.in(file(), problem, shorter, chars)
                : DataException.in(file(), problem, chars);
    }

    /** Returns the encoding of the column, and adds notes for the user, except those on missing cells, to the notes. */
    ColumnEncoding finish(DecimalRule rule, Notes notes, MissingCells missingCells) {
        ColumnEncoding column = finish(rule, notes);
        missingCells.add(shownName(), missing, missingText, column);
        return column;
    }

    private ColumnEncoding finish(DecimalRule rule, Notes notes) {
        if (text != null) {
            if (count == 0) {
                throw noText(text);
            }
            return ColumnEncoding.ofText(name(), text);
        }
        long all = count + plain;
        if (all == 0) {
            throw DataException.in(
                    file(),
                    "column " + shownName() + " has no value in any row",
                    Remedy.set(Setting.IGNORED, name(), "leaves it out"));
        }
        if (kind == Kind.NUMBERS || kind == Kind.DATES) {
            Notation notation = notations == null
                    ? rule.ofPlain(points)
                    : notations.decide(rule, plain, points, file(), shownName(), remedies());
            double total = sum + (notations == null ? 0 : notations.sum(notation));
            note(notation, notes);
            if (notations == null) {
                origin.note(shownName(), notes);
            }
            double start = notations == null ? origin.value() : 0;
            if (notations == null && counting && missing == 0 && plain >= FEWEST_COUNTED) {
                noteCounting(shownName(), name(), notes);
            }
            List<DatePart> parts = notation.date() == null
                    ? List.of()
                    : shared.options.dateFeatures.parts(notations != null && notations.timed());
            return ColumnEncoding.ofNumbers(name(), total / all, notation, start)
                    .withParts(parts)
                    .withIndicator(indicated());
        }
        Dictionary known = categories == null ? new Dictionary() : categories;
        return new CategoryChoice(shared.options.categoryFeatures, name(), shownName(), notes)
                .encode(known, overflown, count)
                .withIndicator(indicated());
    }

    private boolean indicated() {
        return shared.options.missingIndicators && missing > 0;
    }

    private void note(Notation notation, Notes notes) {
        String column = "column " + shownName() + " holds ";
        if (notation.date() != null && shared.options.dateFeatures != DateFeatures.DAYS) {
            notes.data(column + "dates, which become "
                    + shared.options.dateFeatures.parts(notations != null && notations.timed()).stream()
                            .map(DatePart::shown)
                            .collect(Collectors.joining(", ")));
        } else if (notation.date() != null) {
            boolean timed = notations != null && notations.timed();
            notes.data(
                    column + (timed ? "dates with times" : "dates") + ", which become days since 1970-01-01",
                    Remedy.set(
                            Setting.DATE_FEATURES,
                            "cyclic",
                            timed
                                    ? "adds the times of the year, the week and the day"
                                    : "adds the times of the year and the week"),
                    Remedy.set(Setting.IGNORED, name(), "leaves it out"));
        } else if (notation.unit().equals(WrittenNumber.PERCENT)) {
            notes.data(column + "percentages, which are divided by 100");
        } else if (!notation.unit().isEmpty()) {
            notes.data(column + "amounts in " + notation.unit() + ", of which the sign is dropped");
        } else if (notation.grouped()) {
            notes.data(column + "numbers with thousands set apart by " + (notation.comma() ? "points" : "commas"));
        }
    }

    /** Notes that a column counts the rows. */
    static void noteCounting(String shownName, String name, Notes notes) {
        notes.data(
                "column " + shownName + " counts the rows: it rises by 1 from each row to the next, so nothing can be"
                        + " learned from it about other rows",
                Remedy.set(Setting.IGNORED, name, "leaves it out"));
    }

    /** Returns the failure of a missing cell of a file that is read as the training data were. */
    static DataException missing(Cell cell) {
        return missing(cell, REPLACED);
    }

    private static DataException missing(Cell cell, Remedy... remedies) {
        return cell.problem(
                "the value is missing" + (cell.shown().isBlank() ? "" : " ('" + cell.shown() + "')"), remedies);
    }

    static DataException outOfRange(Cell cell) {
        return cell.problem("the value must be within ±3.4e38 (float32), got '" + cell.shown() + "'");
    }
}
