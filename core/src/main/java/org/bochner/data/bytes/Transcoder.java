package org.bochner.data.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;

/**
 * A stream that converts text from a character encoding to UTF-8. Bytes that the encoding does not allow are refused.
 */
public final class Transcoder extends ByteStream {
    private static final int SIZE = 1 << 13;

    private final String file;
    private final InputStream in;
    private final Charset charset;
    private final CharsetDecoder decoder;
    private final CharsetEncoder encoder = StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final ByteBuffer raw;
    private final CharBuffer text = CharBuffer.allocate(SIZE).flip();
    // UTF-8 takes at most three bytes for one char.
    private final ByteBuffer out = ByteBuffer.allocate(3 * SIZE + 8).flip();
    private long consumed;
    private long line = 1;
    private boolean ended;
    private boolean finished;

    /**
     * Creates a stream on another one.
     *
     * @param first bytes that were read from the stream before
     */
    Transcoder(String file, byte[] first, InputStream in, Charset charset) {
        this.file = file;
        this.raw = ByteBuffer.allocate(SIZE + first.length).put(first).flip();
        this.in = in;
        this.charset = charset;
        this.decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        while (!out.hasRemaining()) {
            if (finished) {
                return -1;
            }
            fill();
        }
        int count = Math.min(length, out.remaining());
        out.get(to, offset, count);
        return count;
    }

    private void fill() throws IOException {
        if (!ended) {
            raw.compact();
            int got = in.read(raw.array(), raw.position(), raw.remaining());
            ended = got < 0;
            raw.position(raw.position() + Math.max(0, got)).flip();
        }
        text.clear();
        int before = raw.position();
        CoderResult result = decoder.decode(raw, text, ended);
        if (!result.isError() && ended && !raw.hasRemaining()) {
            result = decoder.flush(text);
            finished = !result.isOverflow();
        }
        consumed += raw.position() - before;
        text.flip();
        countLines();
        if (result.isError()) {
            throw DataException.at(
                    file,
                    line,
                    String.format("byte 0x%02X at offset %d is not ", raw.get(raw.position()) & 0xff, consumed)
                            + charset.name() + " text",
                    Remedy.set(Setting.CHARSET, "must name the encoding of the file"));
        }
        out.clear();
        encoder.encode(text, out, finished);
        // Nothing is left: a decoder never splits surrogate pairs.
        out.flip();
    }

    private void countLines() {
        for (int i = text.position(); i < text.limit(); i++) {
            line += text.get(i) == '\n' ? 1 : 0;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
