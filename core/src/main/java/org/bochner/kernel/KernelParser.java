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
import org.bochner.kernel.KernelRecipe.Columns;
import org.bochner.kernel.KernelRecipe.Part;
import org.bochner.kernel.KernelRecipe.Term;
import org.jspecify.annotations.Nullable;

/**
 * Reads the spelling of a kernel from left to right:
 *
 * <pre>
 * kernel = term { "+" term }
 * term   = [ number "*" ] part { "*" part }
 * part   = name [ "(" parameters ")" ] [ "@" name [ "(" parameters ")" ] ] [ "[" from ":" to "]" ]
 * </pre>
 *
 * Of several parts, which are the factors of a product, each must have columns and none a warp.
 */
final class KernelParser {
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");
    private static final Pattern COLUMNS = Pattern.compile("\\[\\s*(\\d{1,9})\\s*:\\s*(\\d{1,9})\\s*]");
    private static final String EXAMPLE = "a kernel, such as gaussian(sigma=1)";

    private final String text;
    private int position;

    KernelParser(String text) {
        this.text = text;
    }

    KernelRecipe parse() {
        List<Term> terms = new ArrayList<>();
        do {
            terms.add(term());
        } while (accept('+'));
        if (!atEnd()) {
            throw expected("'+', '*', '@', '[from:to]' or the end");
        }
        List<Columns> channels = terms.stream()
                .flatMap(term -> term.parts().stream())
                .map(Part::columns)
                .filter(Objects::nonNull)
                .toList();
        ChannelOverlap.problem(channels).ifPresent(problem -> {
            throw failure(problem);
        });
        return new KernelRecipe(terms);
    }

    private Term term() {
        Double factor = factor();
        List<Part> parts = new ArrayList<>(List.of(part()));
        while (accept('*')) {
            if (looksAt(NUMBER)) {
                throw expected(
                        "the next factor of the product, a kernel with columns; a number stands in front of all");
            }
            parts.add(part());
        }
        if (parts.size() > 1) {
            orderFactors(parts);
        }
        Term term = new Term(factor, parts);
        // A recipe promises a kernel for whatever scale the data gives: all else is checked now.
        Kernel unused = term.withUnitScales().kernel();
        return term;
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

    private Part part() {
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
        Columns columns = columns();
        KernelFamily family = KernelFamilies.named(spelling.name());
        spelling.allow(family.parameters().toArray(String[]::new));
        return new Part(family, spelling, warp, columns);
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

    /** The text of {@code name} or {@code name(…)}, up to the parenthesis that closes it. */
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

    private @Nullable Columns columns() {
        skipSpace();
        if (atEnd() || text.charAt(position) != '[') {
            return null;
        }
        Matcher matcher = at(COLUMNS);
        if (!matcher.lookingAt()) {
            throw expected("columns written [from:to], such as [0:64]");
        }
        int from = Integer.parseInt(matcher.group(1));
        int to = Integer.parseInt(matcher.group(2));
        if (from >= to) {
            throw failure("the columns " + matcher.group() + " at position " + (position + 1)
                    + " are empty; write [from:to] with from < to, where 'to' itself is left out");
        }
        position = matcher.end();
        return new Columns(from, to);
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

    /** Where the word or sign at the position ends, for the error to show. */
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
