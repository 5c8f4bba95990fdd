package org.bochner.data;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.bochner.data.cell.DatePart;
import org.bochner.data.format.ColumnEncoding;
import org.bochner.data.format.PartEncoding;
import org.bochner.data.format.TableLayout;
import org.jspecify.annotations.Nullable;

/**
 * A column of a file, and the columns of the rows that it fills. All columns of a LIBSVM file are one {@code FileColumn}.
 *
 * <p>Threads: safe; immutable.
 */
public final class FileColumn {
    private final String name;
    private final Kind kind;
    private final int from;
    private final int to;
    private final boolean fillsMissing;
    /** How cells become columns; null for a LIBSVM file, and for columns that fill none. */
    private final @Nullable ColumnEncoding encoding;

    /** What a column holds, or the role that it has if it fills no columns of the rows. */
    public enum Kind {
        NUMBER,
        DATE,
        CATEGORY,
        TEXT,
        /** All columns of a LIBSVM file. */
        SPARSE,
        LABEL,
        WEIGHT,
        /** The ids of sets of rows. */
        SET,
        IGNORED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How categories become columns. */
    public enum CategoryEncoding {
        ONE_HOT,
        HASHED,
        MEANS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private FileColumn(
            String name, Kind kind, int from, int to, boolean fillsMissing, @Nullable ColumnEncoding encoding) {
        this.name = name;
        this.kind = kind;
        this.from = from;
        this.to = to;
        this.fillsMissing = fillsMissing;
        this.encoding = encoding;
    }

    /** Returns the columns of files, in their order. */
    static List<FileColumn> of(List<PartEncoding> parts, boolean fillsMissing) {
        List<FileColumn> all = new ArrayList<>();
        int from = 0;
        for (PartEncoding part : parts) {
            String prefix = part.channel().isEmpty() ? "" : part.channel() + ":";
            int to = from + part.totalColumns();
            if (part.table()) {
                addTable(part, prefix, from, fillsMissing, all);
            } else {
                String indices = part.base() + ".." + (part.base() + part.totalColumns() - 1);
                all.add(new FileColumn(prefix + indices, Kind.SPARSE, from, to, false, null));
            }
            from = to;
        }
        return List.copyOf(all);
    }

    private static void addTable(
            PartEncoding part, String prefix, int first, boolean fillsMissing, List<FileColumn> all) {
        TableLayout layout = part.layout();
        int next = first;
        for (int c = 0; c < layout.cells(); c++) {
            int feature = layout.feature(c);
            if (feature >= 0) {
                ColumnEncoding column = part.columns().get(feature);
                int from = next;
                next += column.columns();
                all.add(new FileColumn(prefix + column.name(), kind(column), from, next, fillsMissing, column));
            } else {
                String own = part.named() ? layout.names().get(c) : Integer.toString(c);
                all.add(new FileColumn(prefix + own, role(layout, c), 0, 0, false, null));
            }
        }
    }

    private static Kind kind(ColumnEncoding column) {
        if (column.text() != null) {
            return Kind.TEXT;
        }
        if (column.categorical()) {
            return Kind.CATEGORY;
        }
        return column.notation().date() == null ? Kind.NUMBER : Kind.DATE;
    }

    private static Kind role(TableLayout layout, int cell) {
        if (layout.labelPlaces().contains(cell)) {
            return Kind.LABEL;
        }
        if (cell == layout.rowWeight()) {
            return Kind.WEIGHT;
        }
        return cell == layout.set() ? Kind.SET : Kind.IGNORED;
    }

    /** Returns the name, with {@code channel:} before it for data with channels. */
    public String name() {
        return name;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the first column of the rows that it fills. */
    public int from() {
        return from;
    }

    /** Returns the index after the last column of the rows that it fills; {@link #from} if it fills none. */
    public int to() {
        return to;
    }

    /** Returns how the n-grams of a text are counted; empty for other columns. */
    public String textFeatures() {
        return encoding == null || encoding.text() == null
                ? ""
                : encoding.text().toString();
    }

    /** Returns how categories become columns; null for other columns. */
    public @Nullable CategoryEncoding categoryEncoding() {
        if (encoding == null || kind != Kind.CATEGORY) {
            return null;
        }
        if (encoding.means() != null) {
            return CategoryEncoding.MEANS;
        }
        return encoding.buckets() > 0 ? CategoryEncoding.HASHED : CategoryEncoding.ONE_HOT;
    }

    /** Returns the categories in order; empty if they are hashed, and for other columns. */
    public List<String> categories() {
        return encoding == null ? List.of() : encoding.categories();
    }

    /** Returns the names of the parts of a date; empty for other columns. */
    public List<String> dateParts() {
        if (encoding == null || kind != Kind.DATE) {
            return List.of();
        }
        return encoding.parts().isEmpty()
                ? List.of(DatePart.DAYS.shown())
                : encoding.parts().stream().map(DatePart::shown).toList();
    }

    /** Returns the sign of percentages or of a currency; empty if there is none. */
    public String unit() {
        return encoding == null ? "" : encoding.notation().unit();
    }

    /** Returns true if cells of the column may be missing, or are refused if they are; a missing text is an empty one. */
    public boolean mayMiss() {
        return kind == Kind.SPARSE || (encoding != null && kind != Kind.TEXT);
    }

    /** Returns true if missing values are replaced. */
    public boolean fillsMissing() {
        return fillsMissing && kind != Kind.TEXT;
    }

    /** Returns what replaces a missing value: a number, or a category; null for zeros, or if the category is not known. */
    public @Nullable Object fill() {
        if (encoding == null || !fillsMissing()) {
            return null;
        }
        if (kind != Kind.CATEGORY) {
            return encoding.fill();
        }
        return encoding.indicator() || encoding.categories().isEmpty()
                ? null
                : encoding.categories().get((int) encoding.fill());
    }

    /** Returns the column of the rows that marks missing values. */
    public OptionalInt indicator() {
        return encoding != null && fillsMissing() && encoding.indicator()
                ? OptionalInt.of(to - 1)
                : OptionalInt.empty();
    }

    /**
     * Returns an object for JSON: {@code name}; {@code type}, which is the kind; the columns of the rows that it fills,
     * {@code from} (inclusive) {@code to} (exclusive); its {@code encoding}, {@code levels}, {@code parts} and {@code unit} if
     * it has them; and what becomes of missing values: {@code missing} ({@code error} or {@code filled}), {@code fill} and
     * {@code indicator}.
     */
    public Map<String, Object> asJson() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        map.put("type", kind.toString());
        if (to > from) {
            map.put("from", from);
            map.put("to", to);
        }
        CategoryEncoding categories = categoryEncoding();
        if (kind == Kind.TEXT) {
            map.put("encoding", textFeatures());
        } else if (categories != null) {
            map.put("encoding", categories.toString());
        }
        if (!categories().isEmpty()) {
            map.put("levels", categories());
        }
        if (!dateParts().isEmpty()) {
            map.put("parts", dateParts());
        }
        if (!unit().isEmpty()) {
            map.put("unit", unit());
        }
        if (mayMiss()) {
            map.put("missing", fillsMissing() ? "filled" : "error");
        }
        if (fillsMissing()) {
            OptionalInt marking = indicator();
            map.put("fill", fill());
            map.put("indicator", marking.isPresent() ? marking.getAsInt() : null);
        }
        return map;
    }
}
