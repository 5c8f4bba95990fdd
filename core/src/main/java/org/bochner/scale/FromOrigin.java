package org.bochner.scale;

/** Adds the origin, to which values are relative, back before a scaler sees them. For the rows of one block. */
final class FromOrigin extends AbstractScaler {
    private final AbstractScaler scaler;
    private final double[] origin;

    FromOrigin(AbstractScaler scaler, double[] origin) {
        super(scaler.scaling(), scaler.columns());
        this.scaler = scaler;
        this.origin = origin;
    }

    @Override
    public boolean keepsZeros() {
        return false;
    }

    @Override
    AbstractScaler relativeTo(double[] further) {
        throw new UnsupportedOperationException("values have one origin");
    }

    @Override
    void scaleRow(float[] values, int start) {
        for (int j = 0; j < origin.length; j++) {
            values[start + j] = (float) (values[start + j] + origin[j]);
        }
        scaler.scaleRow(values, start);
    }

    @Override
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        throw new UnsupportedOperationException("sparse rows have no origin");
    }
}
