package org.bochner.model.train;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.RowTask;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.SamplePart;
import org.bochner.kernel.SampleTask;
import org.bochner.kernel.columns.Domain;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.FiniteFeatures;

/** Draws a sample of scaled rows, each of which must be in the domain of a kernel. */
record MappableSampleTask(Scaler scaler, Kernel kernel, SampleTask sample) implements RowTask<SamplePart, RowSample> {
    static final String TYPE = "mappable-sample";

    /** Reads a task from its saved form. */
    static MappableSampleTask load(State state) {
        return new MappableSampleTask(
                Scalings.load(state.part("scaler")),
                Kernels.parse(state.text("kernel")),
                SampleTask.load(state.part("sample")));
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("scaler", scaler.state())
                .with("kernel", kernel.toString())
                .with("sample", sample.state());
    }

    /** Returns a function that scales blocks of rows and checks that the kernel takes them. */
    static UnaryOperator<RowBlock> checked(Scaler scaler, Kernel kernel) {
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        return rows -> {
            RowBlock scaled = scaling.apply(rows);
            Domain.check(kernel, scaled);
            FiniteFeatures.requireMappable(scaled);
            return scaled;
        };
    }

    @Override
    public int pieces() {
        return sample.pieces();
    }

    @Override
    public IntFunction<SamplePart> run(RowSource part, Workers workers) {
        return sample.run(part, checked(scaler, kernel));
    }

    @Override
    public SamplePart merge(SamplePart first, SamplePart next) {
        return sample.merge(first, next);
    }

    @Override
    public RowSample result(List<SamplePart> pieces) {
        return sample.result(pieces);
    }

    @Override
    public void write(SamplePart piece, DataOutput to) throws IOException {
        sample.write(piece, to);
    }

    @Override
    public SamplePart read(DataInput from) throws IOException {
        return sample.read(from);
    }
}
