package org.bochner.scale;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnNames;
import org.bochner.data.ColumnRange;

/** Reads scalings from their spellings. */
public final class Scalings {
    private static final Map<String, Function<Spelling, Scaling>> READERS = new LinkedHashMap<>();

    static {
        READERS.put("none", spelling -> alone(spelling, new None()));
        READERS.put(
                "standard",
                spelling -> new Standard(!spelling.allow("uncentred").has("uncentred")));
        READERS.put("centre", spelling -> alone(spelling, new Centre()));
        READERS.put("min-max", spelling -> alone(spelling, new MinMax()));
        READERS.put("unit-l1", spelling -> alone(spelling, new UnitNorm(1)));
        READERS.put("unit-l2", spelling -> alone(spelling, new UnitNorm(2)));
        READERS.put("divide", spelling -> new Divide(spelling.allow("by").number("by")));
    }

    /** Names that other programs have for members of this family, for suggestions. */
    static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("standardscaler", "standard"),
            Map.entry("standardize", "standard"),
            Map.entry("standardise", "standard"),
            Map.entry("zscore", "standard"),
            Map.entry("minmaxscaler", "min-max"),
            Map.entry("minmax01", "min-max"),
            Map.entry("range", "min-max"),
            Map.entry("normalizer", "unit-l2"),
            Map.entry("normalize", "unit-l2"),
            Map.entry("normalise", "unit-l2"),
            Map.entry("l2", "unit-l2"),
            Map.entry("l2norm", "unit-l2"),
            Map.entry("norm", "unit-l2"),
            Map.entry("l1", "unit-l1"),
            Map.entry("l1norm", "unit-l1"),
            Map.entry("identity", "none"),
            Map.entry("raw", "none"),
            Map.entry("off", "none"),
            Map.entry("no", "none"),
            Map.entry("false", "none"),
            Map.entry("rescale", "divide(by=255)"),
            Map.entry("rescaling", "divide(by=255)"));

    private Scalings() {}

    /** The names of all scalings, for help texts. */
    public static List<String> names() {
        return List.copyOf(READERS.keySet());
    }

    /**
     * The scaling so spelled: {@code none}, {@code standard(uncentred)}, {@code divide(by=255)}, ...; or a sum of
     * scalings of some columns each, {@code unit-l1[0:20] + standard[20:60]}.
     */
    public static Scaling parse(String text) {
        return parse(text, ColumnNames.none()).orElseThrow();
    }

    /**
     * Reads a scaling in which channels and columns may go by their names: {@code unit-l1[colour] + standard[texture]}.
     *
     * @return empty if the scaling is spelled correctly and names columns that are not known yet
     */
    public static Optional<Scaling> parse(String text, ColumnNames names) {
        return Spelling.reading(() -> read(text, names));
    }

    private static Optional<Scaling> read(String text, ColumnNames names) {
        List<String> terms = Spelling.splitTopLevel("scaling", text, '+');
        if (terms.size() == 1 && !text.strip().endsWith("]")) {
            return Optional.of(whole(text));
        }
        List<ChannelScaling.Term> scalings = new ArrayList<>();
        boolean known = true;
        for (String term : terms) {
            known &= addTerms(text, term.strip(), names, scalings);
        }
        return known ? Optional.of(new ChannelScaling(scalings)) : Optional.empty();
    }

    /** Adds the scalings of one term, {@code name(parameters)[columns]}; returns false if its columns are not known yet. */
    private static boolean addTerms(String text, String term, ColumnNames names, List<ChannelScaling.Term> scalings) {
        String owner = "scaling '" + text + "': ";
        if (term.isEmpty()) {
            throw new SpellingException(owner + "expected a scaling on both sides of '+', such as unit-l1[0:20]");
        }
        if (!term.endsWith("]")) {
            throw new SpellingException(owner + "'" + term
                    + "' has no columns; in a sum every scaling needs some, as in " + whole(term) + "[0:20]");
        }
        int open = term.indexOf('[');
        List<ColumnRange> ranges =
                open < 0 ? List.of() : names.resolve(owner, term.substring(open + 1, term.length() - 1));
        if (ranges.isEmpty()) {
            throw new SpellingException(owner + "columns are written [from:to], such as [0:20]; found '"
                    + term.substring(Math.max(0, open)) + "'");
        }
        Scaling scaling = whole(term.substring(0, open));
        boolean known = ranges.stream().allMatch(range -> range.from() < range.to());
        if (known) {
            ranges.forEach(range -> scalings.add(new ChannelScaling.Term(scaling, range.from(), range.to())));
        }
        return known;
    }

    /** A scaling without columns. */
    private static Scaling whole(String text) {
        Spelling spelling = Spelling.parse("scaling", text);
        Function<Spelling, Scaling> reader = READERS.get(spelling.name());
        if (reader == null) {
            throw Spelling.unknown("scaling", spelling.name(), names(), ALIASES);
        }
        return reader.apply(spelling);
    }

    /** The scaling, of a spelling that has no parameters. */
    private static Scaling alone(Spelling spelling, Scaling scaling) {
        spelling.allow();
        return scaling;
    }
}
