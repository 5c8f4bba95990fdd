package org.bochner.data;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.text.Suggestion;
import org.jspecify.annotations.Nullable;

/**
 * The names that spellings of kernels and scalings may write in brackets in place of column numbers:
 * {@code gaussian[colour]} is {@code gaussian[0:20]} if the channel {@code colour} has the columns 0 to 19.
 *
 * <ul>
 *   <li>{@code [colour]} names a channel, or a column of the header. The name of a categorical column means the columns of
 *       all its categories. A channel takes precedence over a column of the same name.
 *   <li>{@code [length, diameter]} lists columns that are neighbours in the data, in any order.
 *   <li>{@code ['fixed acidity']} quotes the name of a column. Names need quotes if they contain characters other than
 *       letters, digits, '.', '_' and '-'. Columns of channels are named {@code 'channel:column'}.
 *   <li>{@code [*]} means every channel: one term per channel.
 * </ul>
 *
 * <p>Threads: safe; an immutable value.
 */
public final class ColumnNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
    private static final Pattern RANGE = Pattern.compile("\\s*(\\d{1,9})\\s*:\\s*(\\d{1,9})\\s*");
    private static final int MOST_NAMES = 20;
    private static final int PLACEHOLDER_COLUMNS = 1000;

    private final List<ColumnRange> channels;
    /** The columns of the header, or null if the data have not been read yet. */
    private final @Nullable List<ColumnRange> columns;
    /** If the data have not been read yet: whether a name without quotation marks may be that of a column. */
    private final boolean plainColumns;

    private ColumnNames(List<ColumnRange> channels, @Nullable List<ColumnRange> columns, boolean plainColumns) {
        this.channels = List.copyOf(channels);
        this.columns = columns == null ? null : List.copyOf(columns);
        this.plainColumns = plainColumns;
    }

    /** Returns no names: each name is refused. */
    public static ColumnNames none() {
        return of(List.of(), List.of());
    }

    /** Returns the names of channels and of columns of the header, as {@link Encoding#columnRanges} lists them. */
    public static ColumnNames of(List<ColumnRange> channels, List<ColumnRange> columns) {
        return new ColumnNames(channels, columns, true);
    }

    /**
     * Returns the names of channels whose columns are not known, because the data have not been read yet. Names resolve to
     * empty ranges.
     *
     * @param plainColumns true if any name may be that of a column; false if only quoted names may
     */
    public static ColumnNames unread(List<String> channels, boolean plainColumns) {
        return new ColumnNames(
                channels.stream().map(name -> new ColumnRange(name, 0, 0)).toList(), null, plainColumns);
    }

    /** Returns true if the text can name a channel: a letter or '_', then letters, digits, '.', '_' or '-'. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * Returns the columns that the text between brackets stands for: one range, or one per channel for {@code *}.
     *
     * @param owner the beginning of messages, such as "kernel 'gaussian[colour]': "
     * @param text what stands between the brackets
     * @return an empty list if the text is neither {@code from:to} nor a list of names; a range with from = to if the
     *     columns are not known yet
     * @throws SpellingException if a name is unknown, or the columns of a list are not neighbours
     */
    public List<ColumnRange> resolve(String owner, String text) {
        Matcher numbers = RANGE.matcher(text);
        if (numbers.matches()) {
            ColumnRange range = range("", numbers);
            if (range.from() >= range.to()) {
                throw new SpellingException(owner + "the columns [" + text
                        + "] are empty; write [from:to] with from < to, where 'to' itself is left out");
            }
            return List.of(range);
        }
        if (text.strip().equals("*")) {
            requireChannels(owner, "*");
            return channels;
        }
        List<Name> names = split(text, ',').stream().map(Name::of).toList();
        if (!names.stream().allMatch(Name::isValid)) {
            return List.of();
        }
        List<ColumnRange> found = names.stream()
                .map(name -> resolve(owner, name))
                .sorted(Comparator.comparingInt(ColumnRange::from))
                .toList();
        for (int i = 1; i < found.size() && columns != null; i++) {
            requireNeighbours(owner, found.get(i - 1), found.get(i));
        }
        ColumnRange last = found.get(found.size() - 1);
        return List.of(new ColumnRange(last.name(), found.get(0).from(), last.to()));
    }

    private static void requireNeighbours(String owner, ColumnRange left, ColumnRange right) {
        if (left.to() > right.from()) {
            throw new SpellingException(owner + "'" + right.name() + "' is named twice");
        }
        if (left.to() < right.from()) {
            throw new SpellingException(owner + "the columns '" + left.name() + "' and '" + right.name()
                    + "' are not neighbours in the data; write one term per group of neighbours, or reorder the columns of"
                    + " the file");
        }
    }

    private ColumnRange resolve(String owner, Name name) {
        for (ColumnRange range : channels) {
            if (!name.quoted && range.name().equals(name.text)) {
                return range;
            }
        }
        if (columns == null && (name.quoted || plainColumns)) {
            return new ColumnRange(name.text, 0, 0);
        }
        if (columns == null || columns.isEmpty()) {
            requireChannels(owner, name.text);
            throw unknown(owner, "channel", name.text, channels);
        }
        return column(owner, name.text, columns);
    }

    private ColumnRange column(String owner, String name, List<ColumnRange> all) {
        String kind = channels.isEmpty() ? "column" : "channel or column";
        List<ColumnRange> known = Stream.concat(channels.stream(), all.stream()).toList();
        return all.stream()
                .filter(range -> range.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(owner, kind, name, known));
    }

    private void requireChannels(String owner, String name) {
        if (channels.isEmpty()) {
            throw new SpellingException(
                    owner + "[" + name + "] names a channel, and the data has none",
                    Remedy.advice("write columns, such as [0:20]"),
                    Remedy.set(Setting.CHANNEL, "joins files as channels"));
        }
    }

    private static SpellingException unknown(String owner, String kind, String name, List<ColumnRange> ranges) {
        List<String> names = ranges.stream().map(ColumnRange::name).toList();
        String more = names.size() > MOST_NAMES ? ", and " + (names.size() - MOST_NAMES) + " more" : "";
        return new SpellingException(owner + "unknown " + kind + " '" + name + "'"
                + Suggestion.near(name, names)
                + " (the data has "
                + String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size()))) + more + ")");
    }

    /**
     * Reads the definition of channels, {@code shape=0:76,weight='whole weight',size=length..height}. The columns are
     * numbers from 0 with the last left out, one column name, or {@code first..last} with both included.
     *
     * @return one range per channel; if columns are named and the data have not been read yet, placeholders that lie apart
     * @throws SpellingException if the text has another form, or a column is unknown
     */
    public List<ColumnRange> channels(String text) {
        List<ColumnRange> ranges = new ArrayList<>();
        boolean placeholders = false;
        for (String part : split(text, ',')) {
            List<String> sides = split(part.strip(), '=');
            Matcher numbers = RANGE.matcher(sides.size() == 2 ? sides.get(1) : "");
            boolean names = sides.size() == 2 && sides.get(1).matches("\\s*[A-Za-z_'\"].*");
            if (!numbers.matches() && !names) {
                throw new SpellingException("channels: expected NAME=FROM:TO, such as shape=0:76, got '" + part.strip()
                        + "'; commas separate channels, columns count from 0 and TO is left out");
            }
            String name = sides.get(0).strip();
            placeholders |= names && columns == null;
            ranges.add(names && columns != null ? span(name, sides.get(1).strip(), text) : range(name, numbers));
        }
        if (!placeholders) {
            return ranges;
        }
        List<ColumnRange> apart = new ArrayList<>();
        for (ColumnRange range : ranges) {
            int from = PLACEHOLDER_COLUMNS * apart.size();
            apart.add(new ColumnRange(range.name(), from, from + PLACEHOLDER_COLUMNS));
        }
        return apart;
    }

    private static ColumnRange range(String name, Matcher numbers) {
        return numbers.matches()
                ? new ColumnRange(name, Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : new ColumnRange(name, 0, 0);
    }

    /** Returns the columns of {@code first..last} or of a single name. */
    private ColumnRange span(String channel, String text, String all) {
        String owner = "channels '" + all + "': ";
        if (columns == null || columns.isEmpty()) {
            throw new SpellingException(owner + "'" + text + "' names a column, and the data have no header; write"
                    + " columns as numbers, such as 0:76");
        }
        int dots = 0;
        while (dots < text.length() && (dots == 0 || !text.startsWith("..", dots))) {
            dots = Spelling.next(text, dots);
        }
        ColumnRange from = column(owner, Name.of(text.substring(0, dots)).text, columns);
        ColumnRange to = dots == text.length() ? from : column(owner, Name.of(text.substring(dots + 2)).text, columns);
        if (from.from() > to.from()) {
            throw new SpellingException(owner + "'" + text
                    + "' must be a column, or first..last with the columns in the order of the file");
        }
        return new ColumnRange(channel, from.from(), to.to());
    }

    /** A name, in quotation marks or not. */
    private record Name(String text, boolean quoted) {
        static Name of(String text) {
            String name = text.strip();
            boolean quoted =
                    name.length() > 2 && "'\"".indexOf(name.charAt(0)) >= 0 && Spelling.next(name, 0) == name.length();
            return quoted ? new Name(name.substring(1, name.length() - 1), true) : new Name(name, false);
        }

        boolean isValid() {
            return quoted || isName(text);
        }
    }

    /** Returns the parts between the separators that are not quoted. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i = Spelling.next(text, i)) {
            if (text.charAt(i) == separator) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
