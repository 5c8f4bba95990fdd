package org.bochner.data.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bochner.base.DataException;
import org.bochner.data.bytes.ByteFeed;

/** Reads the header of a NumPy array file, versions 1 to 3, as numpy.lib.format describes it. */
public final class NpyHeader {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    /** The largest length of a header in bytes; arrays of numbers have shorter ones. */
    static final int LONGEST = 1 << 20;

    /** The largest length of a label in bytes. */
    private static final int LONGEST_TEXT = 1 << 20;

    private static final Pattern DESCRIPTION = Pattern.compile("'descr'\\s*:\\s*'([^']*)'");
    private static final Pattern TYPE = Pattern.compile("([<>|=]?)([a-zA-Z])([0-9]{1,9})");
    private static final Pattern OBJECTS = Pattern.compile("[<>|=]?O[0-9]*");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9, L]*)\\)");

    private NpyHeader() {}

    public static boolean recognises(byte[] head) {
        return Arrays.equals(Arrays.copyOf(head, MAGIC.length), MAGIC);
    }

    /** Parses the header at the start of a feed. */
    static MatrixHeader read(ByteFeed feed) {
        String file = feed.name();
        boolean begun = feed.has(10, 1);
        if (!recognises(Arrays.copyOf(feed.bytes, Math.min(feed.limit, MAGIC.length)))) {
            throw DataException.in(file, "is no NPY file: it does not start with \\x93NUMPY");
        }
        if (!begun) {
            throw DataException.in(file, "the NPY header is cut off");
        }
        int version = feed.bytes[6];
        if (version < 1 || version > 3) {
            throw DataException.in(file, "NPY version " + version + " is not known; 1, 2 and 3 are");
        }
        int start = version == 1 ? 10 : 12;
        long length = 0;
        for (int i = start - 1; i >= 8 && feed.has(start, 1); i--) {
            length = length << 8 | (feed.bytes[i] & 0xff);
        }
        if (length > LONGEST || !feed.has(start + (int) length, 1)) {
            throw DataException.in(file, "the NPY header is cut off or too long (" + length + " bytes)");
        }
        String text = new String(feed.bytes, start, (int) length, StandardCharsets.ISO_8859_1);
        return parse(file, text, start + (int) length);
    }

    private static MatrixHeader parse(String file, String text, int end) {
        Matcher description = DESCRIPTION.matcher(text);
        Matcher order = ORDER.matcher(text);
        Matcher shape = SHAPE.matcher(text);
        if (!order.find() || !shape.find()) {
            throw DataException.in(file, "the NPY header does not give order and shape");
        }
        if (!description.find()) {
            throw DataException.in(file, "the NPY array must hold plain numbers, not records");
        }
        if (OBJECTS.matcher(description.group(1)).matches()) {
            throw DataException.in(
                    file,
                    "holds Python objects (pickle), which are not read because unpacking them runs code; save numbers"
                            + " with array.astype(numpy.float32), or labels with array.astype(str)");
        }
        Matcher type = TYPE.matcher(description.group(1));
        if (!type.matches()) {
            throw notRead(file, description.group(1));
        }
        List<Long> sizes = new ArrayList<>();
        for (String size : shape.group(1).split(",", -1)) {
            String digits = size.replace("L", "").strip();
            if (!digits.isEmpty()) {
                if (digits.length() > 18 || !digits.chars().allMatch(Character::isDigit)) {
                    throw DataException.in(file, "the NPY header has the shape (" + shape.group(1) + ")");
                }
                sizes.add(Long.parseLong(digits));
            }
        }
        ElementType element = elementType(file, type.group(2), type.group(3));
        long elementBytes = element.text() ? Long.parseLong(type.group(3)) * element.size : element.size;
        if (elementBytes == 0 || elementBytes > LONGEST_TEXT) {
            throw DataException.in(file, "text of the type '" + description.group(1) + "' is not read");
        }
        // The two orders are equal if only one dimension has more than one item.
        boolean flat = sizes.stream().filter(size -> size > 1).count() <= 1;
        boolean fortran = order.group(1).equals("True") && !flat;
        boolean bigEndian = type.group(1).equals(">");
        return MatrixHeader.of(file, element, (int) elementBytes, bigEndian, sizes, fortran, end);
    }

    private static ElementType elementType(String file, String kind, String size) {
        String code = kind.equals("U") || kind.equals("S") ? kind : kind + size;
        // Truth values are bytes of 0 or 1.
        return ElementType.ofNpy(code.equals("b1") ? "u1" : code).orElseThrow(() -> notRead(file, code));
    }

    private static DataException notRead(String file, String code) {
        return DataException.in(file, "NPY type '" + code + "' is not read; save it with array.astype(numpy.float32)");
    }
}
