package org.bochner.learn.exact;

import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.learn.solve.DualLoss;
import org.bochner.stats.ExactRows;

/**
 * The dual problem of one output of a support vector machine: the minimum over β of
 *
 * <pre>  βᵀKβ/2 − yᵀβ + ε·Σ|βᵢ|,     Σ βᵢ = 0,  lowᵢ ≤ βᵢ ≤ highᵢ.</pre>
 *
 * <p>The function is f(x) = Σ βᵢ·k(x, xᵢ) + b. The hinge loss has ε = 0, y = ±1, and βᵢ between 0 and yᵢ·Cᵢ; the
 * ε-insensitive loss has βᵢ between −Cᵢ and Cᵢ. Cᵢ is C times the weight of the row. This is the dual of LIBSVM with
 * β = y·α for classes and β = α − α* for numbers.
 *
 * @param target y
 * @param epsilon ε
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SupportProblem(double[] target, double epsilon, double[] low, double[] high) {
    /** Returns the problem of an output with a loss that {@link SupportMachine} takes. */
    static SupportProblem of(ExactRows rows, OutputCoding coding, int output, Loss loss, double c) {
        int n = rows.count();
        double[] target = new double[n];
        double[] low = new double[n];
        double[] high = new double[n];
        DualLoss dual = DualLoss.of(loss);
        for (int i = 0; i < n; i++) {
            target[i] = coding.target(rows.rows(), i, output);
            double most = c * rows.rows().rowWeight(i);
            high[i] = dual.upper(target[i], most);
            low[i] = dual.lower(target[i], most);
        }
        return new SupportProblem(target, dual.epsilon(), low, high);
    }

    int size() {
        return target.length;
    }
}
