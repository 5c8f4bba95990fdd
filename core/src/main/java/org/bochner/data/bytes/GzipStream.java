package org.bochner.data.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Unpacks a gzip file (RFC 1952) of one or several members.
 *
 * <p>{@link java.util.zip.GZIPInputStream} takes a member with a damaged header for garbage after the end and silently
 * drops it and the rest. This stream fails instead: a member must be followed by another member, or by zeros up to the
 * end of the file, which tapes and block devices add.
 */
public final class GzipStream extends ByteStream {
    private static final int HEADER_CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xe0;

    private final InputStream in;
    private final byte[] packed = new byte[1 << 16];
    private int position;
    private int limit;
    /** The number of bytes of the file before the start of {@link #packed}. */
    private long before;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final CRC32 headerChecksum = new CRC32();
    private int member;
    private boolean inside;
    private boolean ended;

    GzipStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended) {
            if (!inside && !begin()) {
                ended = true;
                break;
            }
            int got = inflate(to, offset, length);
            if (got > 0) {
                checksum.update(to, offset, got);
                return got;
            }
        }
        return -1;
    }

    /** Reads unpacked bytes of the member; returns 0 after its last one, when its trailer was checked. */
    private int inflate(byte[] to, int offset, int length) throws IOException {
        try {
            while (true) {
                int got = inflater.inflate(to, offset, length);
                if (got > 0) {
                    return got;
                }
                if (inflater.finished()) {
                    position = limit - inflater.getRemaining();
                    end();
                    return 0;
                }
                if (inflater.needsDictionary()) {
                    throw damaged("needs a dictionary, which gzip does not have");
                }
                if (!fill()) {
                    throw cutOff("the data");
                }
                inflater.setInput(packed, 0, limit);
                position = limit;
            }
        } catch (DataFormatException e) {
            position = limit - inflater.getRemaining();
            throw damaged(e.getMessage() == null ? "the data cannot be unpacked" : String.valueOf(e.getMessage()));
        }
    }

    /** Reads the header of the next member; returns false at the end of the file. */
    private boolean begin() throws IOException {
        if (position == limit && !fill()) {
            return false;
        }
        if (member > 0 && packed[position] == 0) {
            padding();
            return false;
        }
        long start = before + position;
        member++;
        headerChecksum.reset();
        if (next("the header") != 0x1f || next("the header") != 0x8b) {
            throw damagedAt(
                    start,
                    "neither another member nor zeros follow the end of member " + (member - 1) + ", as they must");
        }
        if (next("the header") != 8) {
            throw damagedAt(start, "the header of member " + member + " asks for an unknown method");
        }
        int flags = next("the header");
        if ((flags & RESERVED) != 0) {
            throw damagedAt(start, "the header of member " + member + " has unknown flags");
        }
        // Time, level and system.
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip(next("the header") | next("the header") << 8);
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            int expected = (int) headerChecksum.getValue() & 0xffff;
            if ((next("the header") | next("the header") << 8) != expected) {
                throw damagedAt(start, "the header of member " + member + " does not have its checksum");
            }
        }
        inflater.reset();
        inflater.setInput(packed, position, limit - position);
        checksum.reset();
        inside = true;
        return true;
    }

    /** Checks the trailer of a member: the checksum and the length of its unpacked bytes. */
    private void end() throws IOException {
        inside = false;
        long expected = number();
        if (checksum.getValue() != expected) {
            throw damaged("the unpacked data do not have the checksum of the file");
        }
        if ((inflater.getBytesWritten() & 0xffffffffL) != number()) {
            throw damaged("the unpacked data do not have the length that the file gives");
        }
    }

    private long number() throws IOException {
        long number = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            number |= (long) next("the trailer") << shift;
        }
        return number;
    }

    /** Reads zeros up to the end of the file. */
    private void padding() throws IOException {
        do {
            for (; position < limit; position++) {
                if (packed[position] != 0) {
                    throw damaged("zeros and then other bytes follow the end of member " + member
                            + "; only zeros up to the end of the file may");
                }
            }
        } while (fill());
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            next("the header");
        }
    }

    private void skipText() throws IOException {
        while (next("the header") != 0) {}
    }

    private int next(String where) throws IOException {
        if (position == limit && !fill()) {
            throw cutOff(where);
        }
        headerChecksum.update(packed[position]);
        return packed[position++] & 0xff;
    }

    /** Reads the next bytes after all were used; returns false at the end of the file. */
    private boolean fill() throws IOException {
        before += limit;
        position = 0;
        limit = 0;
        int got = in.read(packed, 0, packed.length);
        limit = Math.max(0, got);
        return got > 0;
    }

    private PackedInputException cutOff(String where) {
        return damagedAt(
                before, "the file ends inside " + where + " of member " + Math.max(1, member) + "; it is truncated");
    }

    private PackedInputException damaged(String why) {
        return damagedAt(before + position, why);
    }

    private static PackedInputException damagedAt(long at, String why) {
        return PackedInputException.damaged("gzip", "byte " + at + ": " + why);
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
