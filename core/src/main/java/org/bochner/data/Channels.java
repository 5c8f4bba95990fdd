package org.bochner.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bochner.base.Nearest;
import org.bochner.base.SpellingException;

/**
 * Channels by name in the spellings of kernels and scalings: {@code gaussian[colour] + 0.5*laplacian[texture]} becomes
 * {@code gaussian[0:20] + 0.5*laplacian[20:79]} once the data is open and says which columns they are. A term with
 * {@code [*]} stands for as many, one for every channel. In a product, {@code gaussian[position] * periodic[angle]}, every
 * factor names its own. Columns written as numbers stay as they are.
 */
public final class Channels {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*");
    private static final Pattern OPEN_NUMBER = Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)[eE]");
    private static final String EVERY = "*";

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
        return rewrite(spelling, term -> term.with(what, spelling, channels, Channels::columns));
    }

    private static String columns(ColumnRange range) {
        return "[" + range.from() + ":" + range.to() + "]";
    }

    /**
     * The spelling with the names left out: what can be read of it while the channels' names are known, but not their
     * widths, because the data is not open yet. A product is nothing without columns, so its first factor stands for it.
     *
     * @throws SpellingException if a name is not among the channels
     */
    public static String withoutNames(String what, String spelling, List<String> channels) {
        List<ColumnRange> ranges =
                channels.stream().map(name -> new ColumnRange(name, 0, 0)).toList();
        return rewrite(spelling, term -> {
            List<String> unnamed = term.with(what, spelling, ranges, range -> "");
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

    /** The channels that a name stands for. */
    private static List<ColumnRange> named(String what, String spelling, String name, List<ColumnRange> channels) {
        String owner = what + " '" + spelling + "': ";
        if (channels.isEmpty()) {
            throw new SpellingException(owner + "[" + name + "] names a channel, and the data has none; join files as"
                    + " channels with --channel NAME=FILE, or write columns, such as [0:20]");
        }
        if (name.equals(EVERY)) {
            return channels;
        }
        for (ColumnRange range : channels) {
            if (range.name().equals(name)) {
                return List.of(range);
            }
        }
        List<String> names = channels.stream().map(ColumnRange::name).toList();
        throw new SpellingException(owner + "unknown channel '" + name + "'"
                + Nearest.of(name, names)
                        .map(near -> "; did you mean '" + near + "'?")
                        .orElse("")
                + " (the data has " + String.join(", ", names) + ")");
    }

    /** A term of a sum, with its number and all kernels of its product. */
    private record Term(List<Factor> factors) {
        static Term of(String text) {
            return new Term(Channels.factors(text).stream().map(Factor::of).toList());
        }

        boolean isNamed() {
            return factors.stream().anyMatch(factor -> !factor.name.isEmpty());
        }

        /** The terms it stands for: several for every channel, else one. */
        List<String> with(
                String what, String spelling, List<ColumnRange> channels, Function<ColumnRange, String> columns) {
            List<List<String>> written = new ArrayList<>();
            for (Factor factor : factors) {
                if (factors.size() > 1 && factor.name.equals(EVERY)) {
                    throw new SpellingException(
                            what + " '" + spelling + "': [" + EVERY + "] writes a sum of terms, one a"
                                    + " channel, and has no place in a product; name the channel of each factor");
                }
                written.add(
                        factor.name.isEmpty()
                                ? List.of(factor.before)
                                : named(what, spelling, factor.name, channels).stream()
                                        .map(range -> factor.before + columns.apply(range) + factor.after)
                                        .toList());
            }
            return factors.size() == 1
                    ? written.get(0)
                    : List.of(written.stream().map(texts -> texts.get(0)).collect(Collectors.joining("*")));
        }
    }

    /** A factor of a product: what stands before, in and after the brackets that name a channel; all before, if none do. */
    private record Factor(String before, String name, String after) {
        static Factor of(String text) {
            int depth = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                int close = c == '[' && depth == 0 ? text.indexOf(']', i) : -1;
                String inside = close < 0 ? "" : text.substring(i + 1, close).strip();
                if (inside.equals(EVERY) || isName(inside)) {
                    return new Factor(text.substring(0, i), inside, text.substring(close + 1));
                }
            }
            return new Factor(text, "", "");
        }
    }

    /** The factors of a product; a number in front stays with the first. */
    private static List<String> factors(String term) {
        List<String> factors = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < term.length(); i++) {
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
        for (int i = 0; i < spelling.length(); i++) {
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
