package org.bochner.kernel.gram;

import java.util.List;
import org.bochner.kernel.Warp;
import org.bochner.numeric.matrix.Matrix;

/** Gradients of kernels that are made of other kernels. */
final class ComposedGradients {
    private ComposedGradients() {}

    /** The gradient of a sum of kernels. */
    record Sum(List<CrossGradient> terms) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            terms.get(0).values(x, h, out);
            Matrix<double[]> more = Rows.zeros(x.rows(), h.rows());
            for (CrossGradient term : terms.subList(1, terms.size())) {
                term.values(x, h, more);
                Rows.each(out, (at, i, j) -> out.values()[at] += more.values()[i * h.rows() + j]);
            }
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            terms.forEach(term -> term.add(x, h, c, out));
        }
    }

    /** The gradient of a multiple of a kernel. */
    record Scaled(double factor, CrossGradient part) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            part.values(x, h, out);
            Rows.apply(out, value -> factor * value);
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            part.add(x, h, Rows.mapped(c, (value, column) -> factor * value), out);
        }
    }

    /** The gradient of a kernel of the columns from (inclusive) to (exclusive). */
    record Channel(int from, int to, CrossGradient part) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            part.values(columns(x), columns(h), out);
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            part.add(columns(x), columns(h), c, columns(out));
        }

        private Matrix<double[]> columns(Matrix<double[]> all) {
            return Matrix.of(all.values(), all.offset() + from, all.rows(), to - from, all.stride());
        }
    }

    /** The gradient of a kernel of warped values. */
    record Warped(Warp warp, CrossGradient part) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            part.values(Rows.mapped(x, warp::apply), Rows.mapped(h, warp::apply), out);
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            Matrix<double[]> inner = Rows.zeros(h.rows(), h.columns());
            part.add(Rows.mapped(x, warp::apply), Rows.mapped(h, warp::apply), c, inner);
            Rows.each(out, (at, j, column) -> {
                double value = h.values()[h.offset() + j * h.stride() + column];
                out.values()[at] += warp.slope(value, column) * inner.values()[j * h.columns() + column];
            });
        }
    }
}
