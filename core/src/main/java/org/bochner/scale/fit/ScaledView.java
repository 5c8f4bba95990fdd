package org.bochner.scale.fit;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bochner.base.State;
import org.bochner.data.DataIdentity;
import org.bochner.data.Encoding;
import org.bochner.data.PartSession;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowChoice;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.data.sample.RowView;
import org.bochner.scale.Scaler;
import org.jspecify.annotations.Nullable;

/** The scaled rows of a source, to which the next step of a scaling is fitted. */
public final class ScaledView extends RowView {
    private final Scaler scaler;

    public ScaledView(RowSource source, Scaler scaler) {
        super(source);
        this.scaler = scaler;
    }

    /** Returns null: the encoding is that of the rows before scaling. */
    @Override
    public @Nullable Encoding encoding() {
        return null;
    }

    @Override
    public boolean sparse() {
        return source.sparse() && scaler.keepsZeros();
    }

    @Override
    public Optional<PartedRows> parted() {
        return source.parted().map(parts -> new PartedRows() {
            @Override
            public <P, R> R run(RowTask<P, R> task) {
                return parts.run(new ScaledTask<>(task, scaler));
            }

            @Override
            public void requireReadable(String step) {
                parts.requireReadable(step);
            }

            @Override
            public PartSession session(State shared) {
                PartSession session = parts.session(shared);
                return new PartSession() {
                    @Override
                    public <P, R> R run(RowTask<P, R> task) {
                        return session.run(new ScaledTask<>(task, scaler));
                    }

                    @Override
                    public void close() {
                        session.close();
                    }
                };
            }

            @Override
            public RowSource where(RowChoice chosen, DataIdentity identity) {
                return new ScaledView(parts.where(chosen, identity), scaler);
            }
        });
    }

    @Override
    public RowCursor open() {
        UnaryOperator<RowBlock> function = scaler.forBlocks();
        RowBlockBuilder original = new RowBlockBuilder();
        return new Reading(source.open()) {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean some = cursor.next(original, maxRows);
                RowBlock block = function.apply(original.build());
                into.beginLike(block, block.firstRow(), block.hasRowWeights());
                for (int i = 0; i < block.rows(); i++) {
                    into.addRow(block, i);
                }
                return some;
            }
        };
    }
}
