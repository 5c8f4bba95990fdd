package org.bochner.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;
import org.bochner.kernel.KernelRecipe.Part;
import org.bochner.kernel.KernelRecipe.Term;
import org.bochner.kernel.columns.Columns;
import org.bochner.kernel.composed.ProductKernel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the spelling of a kernel from left to right:
 *
 * <pre>
 * kernel = term { "+" term }
 * term   = [ number "*" ] part { "*" part }
 * part   = name [ "(" parameters ")" ] [ "@" name [ "(" parameters ")" ] ] [ "[" columns "]" ]
 * </pre>
 *
 * The columns are {@code from:to} or names ({@link ColumnNames}). Several parts are the factors of a product: each must
 * have columns, and none a warp. A term with {@code [*]} stands for one term per channel.
 */
final class KernelParser {
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");
    private static final String EXAMPLE = "a kernel, such as gaussian(sigma=1)";

    private final String text;
    private final ColumnNames names;
    private int position;

    KernelParser(String text, ColumnNames names) {
        this.text = text;
        this.names = names;
    }

    /**
     * A kernel as it was written, with one or more column ranges.
     *
     * @param parts one part, or one per channel
     * @param every true if the columns are {@code [*]}
     * @param open true if the columns are names whose numbers are not known yet; the part then has no columns
     */
    private record Written(List<Part> parts, boolean every, boolean open) {}

    KernelRecipe parse() {
        List<Term> terms = new ArrayList<>();
        do {
            terms.addAll(term());
        } while (accept('+'));
        if (!atEnd()) {
            throw expected("'+', '*', '@', '[from:to]' or the end");
        }
        List<Columns> channels = terms.stream()
                .flatMap(term -> term.parts().stream())
                .map(Part::columns)
                .filter(Objects::nonNull)
                .toList();
        requireDisjoint(channels);
        return new KernelRecipe(terms);
    }

    /**
     * Fails unless the channels of a sum are disjoint or equal: several kernels of one channel are intended, a partial
     * overlap is probably a mistake. A term without columns uses all columns and may stand beside any channel.
     */
    private void requireDisjoint(List<Columns> channels) {
        List<Columns> ordered = channels.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Columns::from))
                .toList();
        // If any two overlap, two neighbours in this order do.
        for (int c = 1; c < ordered.size(); c++) {
            Columns left = ordered.get(c - 1);
            Columns right = ordered.get(c);
            if (right.from() < left.to()) {
                Columns shared = new Columns(right.from(), Math.min(left.to(), right.to()));
                throw failure("the channels " + left + " and " + right + " share the columns " + shared
                        + "; let one end where the other starts, or write the same columns in both");
            }
        }
    }

    private List<Term> term() {
        Double factor = factor();
        List<Written> written = new ArrayList<>(List.of(part()));
        while (accept('*')) {
            if (looksAt(NUMBER)) {
                throw expected(
                        "the next factor of the product, a kernel with columns; a number stands in front of all");
            }
            written.add(part());
        }
        List<Term> terms = new ArrayList<>();
        if (written.size() == 1) {
            written.get(0).parts.forEach(part -> terms.add(new Term(factor, List.of(part))));
        } else {
            terms.add(new Term(factor, product(written)));
        }
        // A recipe promises a kernel for any scale that the data gives, so all other parameters are checked now.
        for (Term term : terms) {
            Kernel unused = term.withUnitScales().kernel();
        }
        return terms;
    }

    /** Returns the factors of a product; only the first if their columns are not known yet. */
    private List<Part> product(List<Written> written) {
        if (written.stream().anyMatch(Written::every)) {
            throw failure("[*] means one term per channel and cannot be used in a product; name the channel of each"
                    + " factor");
        }
        List<Part> factors = new ArrayList<>();
        written.forEach(factor -> factors.addAll(factor.parts));
        if (written.stream().anyMatch(Written::open)) {
            return factors.subList(0, 1);
        }
        orderFactors(factors);
        return factors;
    }

    /** Puts the factors of a product in the order of their columns, which all must have. */
    private void orderFactors(List<Part> factors) {
        for (Part factor : factors) {
            if (factor.columns() == null) {
                throw failure(
                        factor + " is a factor of a product and has no columns; every factor needs columns of its own,"
                                + " such as gaussian[0:2] * periodic[2:3]");
            }
        }
        factors.sort(Comparator.comparingInt(
                part -> Objects.requireNonNull(part.columns()).from()));
        ProductKernel.problem(factors.stream()
                        .map(part -> Objects.requireNonNull(part.columns()))
                        .toList())
                .ifPresent(problem -> {
                    throw failure(problem);
                });
    }

    private Written part() {
        if (!looksAt(NAME)) {
            throw expected(EXAMPLE);
        }
        Spelling spelling = Spelling.parse("kernel", nameWithArguments());
        Warp warp = null;
        if (accept('@')) {
            if (!looksAt(NAME)) {
                throw expected("a warp, such as log(c=0.1)");
            }
            warp = Warp.parse(nameWithArguments());
        }
        String columns = columns();
        KernelFamily family = KernelFamilies.named(spelling.name());
        spelling.allow(family.parameters().toArray(String[]::new));
        Part part = Part.of(family, spelling, warp, null);
        if (columns == null) {
            return new Written(List.of(part), false, false);
        }
        List<ColumnRange> ranges = names.resolve("kernel '" + text + "': ", columns);
        if (ranges.isEmpty()) {
            position -= columns.length() + 2;
            boolean blank = columns.strip().chars().anyMatch(Character::isWhitespace);
            if (blank) {
                throw failure("names of columns with blanks need quotes: ['" + columns.strip() + "']");
            }
            throw expected("columns written [from:to], such as [0:64]");
        }
        boolean open = ranges.stream().anyMatch(range -> range.from() == range.to());
        List<Part> parts = ranges.stream()
                .map(range -> open ? part : part.in(new Columns(range.from(), range.to())))
                .toList();
        return new Written(parts, columns.strip().equals("*"), open);
    }

    private @Nullable Double factor() {
        skipSpace();
        Matcher number = at(NUMBER);
        if (!number.lookingAt()) {
            return null;
        }
        int start = position;
        position = number.end();
        if (!accept('*')) {
            throw expected("'*' after the factor " + text.substring(start, number.end()));
        }
        double factor = Double.parseDouble(number.group());
        return Require.positive("kernel '" + text + "'", "factor", factor);
    }

    /** Returns the text of {@code name} or {@code name(…)}, up to the closing parenthesis. */
    private String nameWithArguments() {
        int start = position;
        Matcher name = at(NAME);
        Require.that(name.lookingAt(), "kernel '" + text + "'", "no name at position " + (start + 1));
        position = name.end();
        int end = position;
        skipSpace();
        if (position == text.length() || text.charAt(position) != '(') {
            position = end;
            return text.substring(start, end);
        }
        int depth = 0;
        for (int i = position; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(' || c == '[') {
                depth++;
            } else if (c == ')' || c == ']') {
                depth--;
            }
            if (depth == 0) {
                position = i + 1;
                return text.substring(start, position);
            }
        }
        throw failure("the parenthesis opened at position " + (position + 1) + " is not closed");
    }

    /** Returns the text between brackets, or null if there are none. */
    private @Nullable String columns() {
        skipSpace();
        if (atEnd() || text.charAt(position) != '[') {
            return null;
        }
        for (int i = position; i < text.length(); i = Spelling.next(text, i)) {
            if (text.charAt(i) == ']') {
                String columns = text.substring(position + 1, i);
                position = i + 1;
                return columns;
            }
        }
        throw expected("columns written [from:to], such as [0:64]");
    }

    private Matcher at(Pattern pattern) {
        return pattern.matcher(text).region(position, text.length());
    }

    private boolean looksAt(Pattern pattern) {
        skipSpace();
        return at(pattern).lookingAt();
    }

    private boolean accept(char c) {
        skipSpace();
        if (!atEnd() && text.charAt(position) == c) {
            position++;
            return true;
        }
        return false;
    }

    private boolean atEnd() {
        skipSpace();
        return position == text.length();
    }

    private void skipSpace() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private SpellingException expected(String what) {
        String found = atEnd() ? "the text ends" : "found '" + text.substring(position, nextStop()) + "'";
        return failure("expected " + what + "; " + found + " at position " + (position + 1));
    }

    /** Returns the end of the word or sign at the position, for messages. */
    private int nextStop() {
        int end = position + 1;
        while (end < text.length()
                && Character.isLetterOrDigit(text.charAt(end))
                && Character.isLetterOrDigit(text.charAt(position))) {
            end++;
        }
        return end;
    }

    private SpellingException failure(String problem) {
        return new SpellingException("kernel '" + text + "': " + problem);
    }
}
