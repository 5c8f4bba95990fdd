package org.bochner.numeric.function;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Cosine and sine to 40 digits, of angles taken as the exact numbers they are: slow, and right for every double. */
final class ExactTrigonometry {
    private static final MathContext DIGITS = new MathContext(40);
    private static final BigDecimal TWO_PI = machin(400).multiply(BigDecimal.valueOf(2));

    private ExactTrigonometry() {}

    /** t without its whole turns, in [−½, ½], exactly. */
    static BigDecimal fraction(BigDecimal t) {
        return t.subtract(t.setScale(0, RoundingMode.HALF_EVEN));
    }

    static BigDecimal cosOfTurns(BigDecimal t) {
        return series(fraction(t).multiply(TWO_PI, DIGITS), 0);
    }

    static BigDecimal sinOfTurns(BigDecimal t) {
        return series(fraction(t).multiply(TWO_PI, DIGITS), 1);
    }

    /** The Taylor series of cosine (first = 0) or sine (first = 1); 40 terms are ample up to π. */
    private static BigDecimal series(BigDecimal x, int first) {
        BigDecimal square = x.multiply(x, DIGITS).negate();
        BigDecimal term = first == 0 ? BigDecimal.ONE : x;
        BigDecimal sum = term;
        for (int k = first + 1; k < 80; k += 2) {
            term = term.multiply(square, DIGITS).divide(BigDecimal.valueOf((long) k * (k + 1)), DIGITS);
            sum = sum.add(term, DIGITS);
        }
        return sum;
    }

    /** π = 16·atan(1/5) − 4·atan(1/239). */
    private static BigDecimal machin(int digits) {
        return arcTangentOfInverse(5, digits)
                .multiply(BigDecimal.valueOf(16))
                .subtract(arcTangentOfInverse(239, digits).multiply(BigDecimal.valueOf(4)));
    }

    private static BigDecimal arcTangentOfInverse(int n, int digits) {
        int scale = digits + 10;
        BigDecimal square = BigDecimal.valueOf((long) n * n);
        BigDecimal power = BigDecimal.ONE.divide(BigDecimal.valueOf(n), scale, RoundingMode.HALF_EVEN);
        BigDecimal sum = power;
        for (int k = 3; power.signum() != 0; k += 2) {
            power = power.negate().divide(square, scale, RoundingMode.HALF_EVEN);
            sum = sum.add(power.divide(BigDecimal.valueOf(k), scale, RoundingMode.HALF_EVEN));
        }
        return sum;
    }
}
