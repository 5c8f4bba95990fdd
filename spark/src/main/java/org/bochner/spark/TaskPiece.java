package org.bochner.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import org.bochner.data.RowTask;
import org.jspecify.annotations.Nullable;

/**
 * A piece of the result of a task. It is sent as one array of bytes, which every serializer of Spark can send.
 *
 * @param part the part of the rows, or the place among merged results
 * @param piece the index of the piece
 * @param bytes the piece; empty if the task failed
 * @param failure why the task failed; null if it did not
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TaskPiece(
        int part, int piece, byte[] bytes, @Nullable TaskFailure failure) {
    static <P> TaskPiece of(int part, int piece, RowTask<P, ?> task, P value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            task.write(value, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TaskPiece(part, piece, bytes.toByteArray(), null);
    }

    static TaskPiece failed(int part, TaskFailure failure) {
        return new TaskPiece(part, 0, new byte[0], failure);
    }

    <P> P value(RowTask<P, ?> task) {
        try {
            return task.read(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the form that is sent. */
    byte[] sent() {
        ByteArrayOutputStream sent = new ByteArrayOutputStream(bytes.length + 32);
        try (ObjectOutputStream out = new ObjectOutputStream(sent)) {
            out.writeInt(part);
            out.writeInt(piece);
            out.writeObject(failure);
            out.writeInt(bytes.length);
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sent.toByteArray();
    }

    /** Reads the form that was sent. */
    static TaskPiece received(byte[] sent) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(sent))) {
            int part = in.readInt();
            int piece = in.readInt();
            TaskFailure failure = (TaskFailure) in.readObject();
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return new TaskPiece(part, piece, bytes, failure);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
