package org.bochner.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The stdout of the process, which keeps the reason of a failure to write: a full disk must not look like success, and
 * a reader that closes the pipe, such as {@code head}, is no failure. The encoding is always UTF-8, because results are
 * data.
 */
final class StandardOutput extends OutputStream {
    private static final int BUFFER = 1 << 16;

    private final OutputStream file = new FileOutputStream(FileDescriptor.out);
    private final byte[] buffer = new byte[BUFFER];
    private int buffered;
    private @Nullable IOException failure;

    PrintWriter writer() {
        return new PrintWriter(new OutputStreamWriter(this, StandardCharsets.UTF_8), false);
    }

    /** Returns the reason why writing failed; null if it did not. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /**
     * Returns true if writing failed because the reader has closed the pipe. Only the message of the system shows it.
     */
    boolean closedByReader() {
        if (failure == null) {
            return false;
        }
        String reason = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return reason.contains("pipe");
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (length > BUFFER - buffered) {
            flush();
        }
        if (length > BUFFER) {
            send(bytes, from, length);
        } else {
            System.arraycopy(bytes, from, buffer, buffered, length);
            buffered += length;
        }
    }

    @Override
    public void flush() throws IOException {
        int length = buffered;
        buffered = 0;
        send(buffer, 0, length);
    }

    private void send(byte[] bytes, int from, int length) throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            file.write(bytes, from, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
