package org.bochner.data;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bochner.base.SpellingException;
import org.bochner.base.Suggestion;
import org.jspecify.annotations.Nullable;

/**
 * Channels and columns by name in the spellings of kernels and scalings: {@code gaussian[colour] + 0.5*laplacian[texture]}
 * becomes {@code gaussian[0:20] + 0.5*laplacian[20:79]} once the data is open and says which columns they are. A term with
 * {@code [*]} stands for as many, one for every channel. In a product, {@code gaussian[position] * periodic[angle]}, every
 * factor names its own. Columns written as numbers stay as they are.
 *
 * <p>Columns of a header go by their names: {@code gaussian[length, diameter]} lists columns that stand side by side in
 * the file, in any order; {@code ['fixed acidity']} quotes a name that has other characters than letters, digits, '.', '_'
 * and '-'. The name of a categorical column means all columns of its categories. A channel's name comes before a
 * column's; columns of channels are named {@code 'channel:column'}.
 */
public final class Channels {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*");
    private static final Pattern OPEN_NUMBER = Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)[eE]");
    private static final Pattern NAMED = Pattern.compile("\\s*[A-Za-z_'\"]");
    private static final String EVERY = "*";
    private static final int MOST_NAMES = 20;

    private Channels() {}

    /** Whether a name may be that of a channel: a letter or '_', then letters, digits, '.', '_' or '-'. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Whether a spelling names channels, so that only the data can say what it means. */
    public static boolean areNamed(String spelling) {
        return terms(spelling).stream().anyMatch(Term::isNamed);
    }

    /**
     * The spelling with columns in place of names.
     *
     * @param what what is spelled, for error messages: "kernel", "scaling"
     * @param channels the data's
     * @throws SpellingException if a name is not among the channels
     */
    public static String resolve(String what, String spelling, List<ColumnRange> channels) {
        return resolve(what, spelling, channels, List.of());
    }

    /**
     * The spelling with numbers in place of the names of channels and columns.
     *
     * @param what what is spelled, for error messages: "kernel", "scaling"
     * @param channels the data's
     * @param columns the data's, as {@link Encoding#columnRanges} tells them
     * @throws SpellingException if a name is none of them, or names in one list do not stand side by side
     */
    public static String resolve(String what, String spelling, List<ColumnRange> channels, List<ColumnRange> columns) {
        Known known = new Known(what + " '" + spelling + "': ", channels, columns);
        return rewrite(spelling, term -> term.with(known, Channels::columns));
    }

    /**
     * The channels of {@code shape=length..height,weight='whole weight',rest=5:8} with numbers in place of the names of
     * columns, where {@code first..last} takes both and all between them.
     *
     * @throws SpellingException if a name is none of the columns
     */
    public static String ranges(String text, List<ColumnRange> columns) {
        Known known = new Known("channels '" + text + "': ", List.of(), columns);
        return split(text, ',').stream()
                .map(part -> {
                    List<String> sides = split(part, '=');
                    return sides.size() == 2 && NAMED.matcher(sides.get(1)).lookingAt()
                            ? sides.get(0) + "=" + known.span(sides.get(1).strip())
                            : part;
                })
                .collect(Collectors.joining(","));
    }

    /** The names of channels written as in {@link #ranges}. */
    public static List<String> names(String text) {
        return split(text, ',').stream()
                .map(part -> split(part, '=').get(0).strip())
                .toList();
    }

    /** Whether channels, written as in {@link #ranges}, name columns, so that only the data can say which they are. */
    public static boolean haveNamedColumns(String text) {
        return split(text, ',').stream()
                .map(part -> split(part, '='))
                .anyMatch(sides ->
                        sides.size() == 2 && NAMED.matcher(sides.get(1)).lookingAt());
    }

    private static String columns(ColumnRange range) {
        return "[" + range.from() + ":" + range.to() + "]";
    }

    /**
     * The spelling with the names left out: what can be read of it while the channels' names are known, but not their
     * widths, because the data is not open yet. A product is nothing without columns, so its first factor stands for it.
     * Where there are no channels, names are those of columns, which only the data knows; where there are, those of columns
     * are quoted.
     *
     * @throws SpellingException if a name is not among the channels, where there are some
     */
    public static String withoutNames(String what, String spelling, List<String> channels) {
        List<ColumnRange> ranges =
                channels.stream().map(name -> new ColumnRange(name, 0, 0)).toList();
        Known known = new Known(what + " '" + spelling + "': ", ranges, null);
        return rewrite(spelling, term -> {
            List<String> unnamed = term.with(known, range -> "");
            return term.isNamed()
                    ? unnamed.stream().map(text -> factors(text).get(0)).toList()
                    : unnamed;
        });
    }

    private static String rewrite(String spelling, Function<Term, List<String>> terms) {
        if (!areNamed(spelling)) {
            return spelling;
        }
        return terms(spelling).stream()
                .flatMap(term -> terms.apply(term).stream())
                .map(String::strip)
                .collect(Collectors.joining(" + "));
    }

    /**
     * What names may stand for.
     *
     * @param owner how messages begin
     * @param columns null where only the data will tell
     */
    private record Known(
            String owner,
            List<ColumnRange> channels,
            @Nullable List<ColumnRange> columns) {
        /** The columns of each term that names in brackets stand for: one of all names, or one per channel. */
        List<ColumnRange> of(List<Name> names) {
            if (names.size() == 1 && names.get(0).isEvery()) {
                requireChannels(EVERY);
                return channels;
            }
            List<ColumnRange> found =
                    new ArrayList<>(names.stream().map(this::of).toList());
            found.sort(Comparator.comparingInt(ColumnRange::from));
            for (int i = 1; i < found.size() && columns != null; i++) {
                ColumnRange left = found.get(i - 1);
                ColumnRange right = found.get(i);
                if (left.to() > right.from()) {
                    throw new SpellingException(owner + "'" + right.name() + "' is named twice");
                }
                if (left.to() < right.from()) {
                    throw new SpellingException(owner + "the columns '" + left.name() + "' and '" + right.name()
                            + "' are no neighbours; a list names columns that stand side by side in the data. Write a"
                            + " term for each group of neighbours, or order the columns of the file so that they are");
                }
            }
            ColumnRange last = found.get(found.size() - 1);
            return List.of(new ColumnRange(last.name(), found.get(0).from(), last.to()));
        }

        private ColumnRange of(Name name) {
            for (ColumnRange range : channels) {
                if (!name.quoted && range.name().equals(name.text)) {
                    return range;
                }
            }
            if (columns == null && (name.quoted || channels.isEmpty())) {
                return new ColumnRange(name.text, 0, 0);
            }
            if (columns == null || columns.isEmpty()) {
                requireChannels(name.text);
                throw unknown("channel", name.text, channels);
            }
            return column(name.text);
        }

        private ColumnRange column(String name) {
            List<ColumnRange> all = columns == null ? List.of() : columns;
            for (ColumnRange range : all) {
                if (range.name().equals(name)) {
                    return range;
                }
            }
            throw unknown(
                    channels.isEmpty() ? "column" : "channel or column",
                    name,
                    Stream.concat(channels.stream(), all.stream()).toList());
        }

        /** The columns that {@code first..last} or a single name stands for, as {@code from:to}. */
        String span(String text) {
            List<String> ends = new ArrayList<>();
            int dots = 0;
            for (int i = 0; i < text.length(); i = next(text, i)) {
                if (text.startsWith("..", i) && i > dots) {
                    ends.add(text.substring(dots, i));
                    dots = i + 2;
                    i = dots - 1;
                }
            }
            ends.add(text.substring(dots));
            if (columns == null || columns.isEmpty()) {
                throw new SpellingException(owner + "'" + text + "' names a column, and the data has no header; write"
                        + " columns as numbers, such as 0:76");
            }
            ColumnRange from = column(Name.of(ends.get(0)).text);
            ColumnRange to = column(Name.of(ends.get(ends.size() - 1)).text);
            if (ends.size() > 2 || from.from() > to.from()) {
                throw new SpellingException(owner + "'" + text
                        + "' must be a column, or first..last with the columns in the order of the file");
            }
            return from.from() + ":" + to.to();
        }

        private void requireChannels(String name) {
            if (channels.isEmpty()) {
                throw new SpellingException(
                        owner + "[" + name + "] names a channel, and the data has none; join files as"
                                + " channels with --channel NAME=FILE, or write columns, such as [0:20]");
            }
        }

        private SpellingException unknown(String kind, String name, List<ColumnRange> ranges) {
            List<String> names = ranges.stream().map(ColumnRange::name).toList();
            String more = names.size() > MOST_NAMES ? ", and " + (names.size() - MOST_NAMES) + " more" : "";
            return new SpellingException(owner + "unknown " + kind + " '" + name + "'"
                    + Suggestion.of(name, names)
                            .map(near -> "; did you mean '" + near + "'?")
                            .orElse("")
                    + " (the data has "
                    + String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size()))) + more + ")");
        }
    }

    /** A term of a sum, with its number and all kernels of its product. */
    private record Term(List<Factor> factors) {
        static Term of(String text) {
            return new Term(Channels.factors(text).stream().map(Factor::of).toList());
        }

        boolean isNamed() {
            return factors.stream().anyMatch(factor -> !factor.names.isEmpty());
        }

        /** The terms it stands for: several for every channel, else one. */
        List<String> with(Known known, Function<ColumnRange, String> columns) {
            List<List<String>> written = new ArrayList<>();
            for (Factor factor : factors) {
                if (factors.size() > 1 && factor.names.stream().anyMatch(Name::isEvery)) {
                    throw new SpellingException(known.owner + "[" + EVERY + "] writes a sum of terms, one a"
                            + " channel, and has no place in a product; name the channel of each factor");
                }
                written.add(
                        factor.names.isEmpty()
                                ? List.of(factor.before)
                                : known.of(factor.names).stream()
                                        .map(range -> factor.before + columns.apply(range) + factor.after)
                                        .toList());
            }
            return factors.size() == 1
                    ? written.get(0)
                    : List.of(written.stream().map(texts -> texts.get(0)).collect(Collectors.joining("*")));
        }
    }

    /** A name in brackets, in quotation marks or not. */
    private record Name(String text, boolean quoted) {
        static Name of(String text) {
            String name = text.strip();
            boolean quoted = name.length() > 2 && isQuote(name.charAt(0)) && next(name, 0) == name.length();
            return quoted ? new Name(name.substring(1, name.length() - 1), true) : new Name(name, false);
        }

        boolean isEvery() {
            return !quoted && text.equals(EVERY);
        }

        boolean isValid() {
            return quoted || isName(text);
        }
    }

    /** A factor of a product: what stands before, in and after the brackets that have names; all before, if none do. */
    private record Factor(String before, List<Name> names, String after) {
        static Factor of(String text) {
            int depth = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                int close = c == '[' && depth == 0 ? close(text, i) : -1;
                List<Name> inside = close < 0
                        ? List.of()
                        : split(text.substring(i + 1, close), ',').stream()
                                .map(Name::of)
                                .toList();
                boolean every = inside.size() == 1 && inside.get(0).isEvery();
                if (every || (!inside.isEmpty() && inside.stream().allMatch(Name::isValid))) {
                    return new Factor(text.substring(0, i), inside, text.substring(close + 1));
                }
            }
            return new Factor(text, List.of(), "");
        }

        /** Where the bracket closes that opens at the index; -1 where it does not. */
        private static int close(String text, int open) {
            for (int i = open + 1; i < text.length(); i = next(text, i)) {
                if (text.charAt(i) == ']') {
                    return i;
                }
            }
            return -1;
        }
    }

    private static boolean isQuote(char c) {
        return c == '\'' || c == '"';
    }

    /** The index behind the character at an index, or behind the quoted text that starts there. */
    private static int next(String text, int i) {
        int close = isQuote(text.charAt(i)) ? text.indexOf(text.charAt(i), i + 1) : -1;
        return (close < 0 ? i : close) + 1;
    }

    /** The parts between the separators that are not quoted. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i = next(text, i)) {
            if (text.charAt(i) == separator) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    /** The factors of a product; a number in front stays with the first. */
    private static List<String> factors(String term) {
        List<String> factors = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < term.length(); i = next(term, i)) {
            char c = term.charAt(i);
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            if (c == '*'
                    && depth == 0
                    && !NUMBER.matcher(term.substring(start, i)).matches()) {
                factors.add(term.substring(start, i));
                start = i + 1;
            }
        }
        factors.add(term.substring(start));
        return factors;
    }

    /**
     * The terms of a sum. A sign in parentheses or within a number, {@code 1e+5*gaussian}, does not part them. What is
     * misspelled comes through unchanged, for its parser to explain.
     */
    private static List<Term> terms(String spelling) {
        List<Term> terms = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < spelling.length(); i = next(spelling, i)) {
            char c = spelling.charAt(i);
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            if (c == '+'
                    && depth == 0
                    && !OPEN_NUMBER.matcher(spelling.substring(start, i)).matches()) {
                terms.add(Term.of(spelling.substring(start, i)));
                start = i + 1;
            }
        }
        terms.add(Term.of(spelling.substring(start)));
        return terms;
    }
}
