package org.bochner.map.layout;

/**
 * The quadratic form wᵀPw that stands for |w|² where features are written in another basis than the kernel's:
 * k(x, y) ≈ φ(x)ᵀ P⁻¹ φ(y). With P = RᵀR, the features R⁻ᵀφ have plain inner products, and a linear function of them with
 * weights v is one of φ with weights R⁻¹v.
 *
 * <p>It lets a map write few non-zeros where the kernel's own features are dense.
 *
 * <p>Threads: safe; immutable.
 */
public interface Penalty {
    /** |w|² itself. */
    Penalty PLAIN = new Penalty() {
        @Override
        public boolean plain() {
            return true;
        }

        @Override
        public void whiten(double[] features, int at) {}

        @Override
        public void unwhiten(double[] weights, int at, int stride) {}

        @Override
        public String toString() {
            return "plain";
        }
    };

    /** Whether it is |w|², so that nothing is to be done. */
    boolean plain();

    /** z ← R⁻ᵀz, in place, for the features of a row that start at an index. */
    void whiten(double[] features, int at);

    /** w ← R⁻¹w, in place, for weights at the indices at, at + stride, … */
    void unwhiten(double[] weights, int at, int stride);
}
