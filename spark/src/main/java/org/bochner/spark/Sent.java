package org.bochner.spark;

import java.io.Serializable;
import java.util.Objects;
import org.bochner.base.State;
import org.bochner.data.RowTask;
import org.bochner.model.file.ModelFile;
import org.bochner.model.train.RowTasks;
import org.jspecify.annotations.Nullable;

/** A saved form as bytes, and the task that it describes, which each process makes once. */
final class Sent implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;
    private transient volatile @Nullable RowTask<?, ?> task;

    Sent(byte[] bytes) {
        this.bytes = bytes;
    }

    State state() {
        return ModelFile.fromBytes("task", bytes);
    }

    RowTask<Object, ?> task() {
        RowTask<?, ?> known = task;
        if (known == null) {
            known = RowTasks.load(state());
            task = known;
        }
        @SuppressWarnings("unchecked") // pieces are read and merged by the task that wrote them
        RowTask<Object, ?> same = (RowTask<Object, ?>) Objects.requireNonNull(known);
        return same;
    }
}
