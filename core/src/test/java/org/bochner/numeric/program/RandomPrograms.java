package org.bochner.numeric.program;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/** Programs of every kind that the solver may meet, each made by a seed. */
enum RandomPrograms {
    /** A point inside the bounds meets the rows, and costs are those of prices with reduced costs of the right sign. */
    BOUNDED {
        @Override
        ProgramCase make(SplittableRandom random) {
            return bounded(random, 1 + random.nextInt(20), random.nextInt(60), false);
        }
    },
    /** Small whole numbers, right sides of 0, columns and rows that repeat: most vertices have many bases. */
    DEGENERATE {
        @Override
        ProgramCase make(SplittableRandom random) {
            return bounded(random, 2 + random.nextInt(20), 5 + random.nextInt(60), true);
        }
    },
    /** Nothing is known of it: it may have no point, or no least one. */
    ANY {
        @Override
        ProgramCase make(SplittableRandom random) {
            int rows = 1 + random.nextInt(6);
            ProgramCase program = new ProgramCase("any", whole(random, rows, 3));
            for (int j = random.nextInt(24); j > 0; j--) {
                addBounded(program, random, random.nextInt(7) - 3, whole(random, rows, 2));
            }
            return program;
        }
    },
    /** A combination of rows that nothing within the bounds meets, hidden among others. */
    INFEASIBLE {
        @Override
        ProgramCase make(SplittableRandom random) {
            ProgramCase whole = bounded(random, 2 + random.nextInt(15), random.nextInt(40), false);
            int last = whole.rows() - 1;
            double[] rightSide = whole.rightSide.clone();
            double most = 0;
            double[] products = new double[whole.size()];
            double[] prices = normal(random, whole.rows());
            prices[last] = 1;
            // The last row is changed to make y·A what products say, of the sign that the bounds keep finite.
            for (int j = 0; j < products.length; j++) {
                double product = random.nextDouble();
                boolean low = Double.isFinite(whole.lower.get(j));
                boolean high = Double.isFinite(whole.upper.get(j));
                products[j] = low ? (high && random.nextBoolean() ? product : -product) : high ? product : 0;
                if (products[j] != 0) {
                    most += products[j] * (products[j] > 0 ? whole.upper.get(j) : whole.lower.get(j));
                }
            }
            double right = 0;
            for (int i = 0; i < last; i++) {
                right += prices[i] * rightSide[i];
            }
            rightSide[last] = most - right + 0.01 + random.nextDouble();
            ProgramCase program = new ProgramCase("infeasible", rightSide);
            for (int j = 0; j < products.length; j++) {
                double[] column = whole.columns.get(j).clone();
                double sum = 0;
                for (int i = 0; i < last; i++) {
                    sum += prices[i] * column[i];
                }
                column[last] = products[j] - sum;
                program.add(whole.lower.get(j), whole.upper.get(j), whole.costs.get(j), column);
            }
            return program;
        }
    },
    /** A point and a ray of falling cost. */
    UNBOUNDED {
        @Override
        ProgramCase make(SplittableRandom random) {
            ProgramCase program = bounded(random, 1 + random.nextInt(15), 3 + random.nextInt(40), random.nextBoolean());
            double[] sum = new double[program.rows()];
            double cost = 0;
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                double[] column = normal(random, sum.length);
                double part = random.nextDouble() - 0.5;
                program.add(0, Double.POSITIVE_INFINITY, part, column);
                cost += part;
                for (int i = 0; i < sum.length; i++) {
                    sum[i] -= column[i];
                }
            }
            program.add(-1, Double.POSITIVE_INFINITY, -cost - 0.01 - random.nextDouble(), sum);
            return program;
        }
    },
    /** The dual of the fit of cosines to a function with least largest error, as designs of maps solve it. */
    FIT {
        @Override
        ProgramCase make(SplittableRandom random) {
            double kink = Math.PI * random.nextDouble();
            double steep = 3 + 40 * random.nextDouble();
            return fit(random, Math.PI, z -> Math.cos(steep * z) + Math.abs(z - kink));
        }
    },
    /** The same with cosines that are nearly dependent, and an error that is all but zero. */
    HARD_FIT {
        @Override
        ProgramCase make(SplittableRandom random) {
            double decay = 0.5 + 4 * random.nextDouble();
            return fit(random, Math.PI * (0.3 + 0.7 * random.nextDouble()), z -> Math.exp(-decay * z * z));
        }
    };

    abstract ProgramCase make(SplittableRandom random);

    ProgramCase make(long seed) {
        ProgramCase made = make(new SplittableRandom(seed));
        return made.named(name() + " of seed " + seed);
    }

    /** Complementary slackness gives an optimum: x between its bounds, prices, and reduced costs that fit them. */
    private static ProgramCase bounded(SplittableRandom random, int rows, int more, boolean degenerate) {
        ProgramCase program = new ProgramCase("bounded", new double[rows]);
        double[] prices = degenerate ? whole(random, rows, 2) : normal(random, rows);
        double[] right = program.rightSide;
        double zeros = degenerate ? 0.8 : 0.3;
        for (int j = 0; j < rows + more; j++) {
            double[] column = degenerate ? whole(random, rows, 2) : normal(random, rows);
            if (degenerate && j > 0 && random.nextInt(4) == 0) {
                column = program.columns.get(random.nextInt(j)).clone();
            }
            if (degenerate && rows > 1) {
                column[rows - 1] = column[0] * 2 - (rows > 2 ? column[1] : 0);
            }
            double cost = 0;
            for (int i = 0; i < rows; i++) {
                cost += prices[i] * column[i];
            }
            double size = degenerate ? 1 + random.nextInt(2) : 3 * random.nextDouble();
            double at = degenerate || random.nextInt(3) > 0 ? 0 : 4 * random.nextDouble() - 2;
            boolean waits = random.nextDouble() < zeros;
            double reduced = waits ? (random.nextInt(3) == 0 ? 0 : size) : 0;
            double infinite = Double.POSITIVE_INFINITY;
            switch (random.nextInt(6)) {
                case 0 -> program.add(-infinite, infinite, cost, column);
                case 1 -> program.add(at, at, cost + size * (random.nextInt(3) - 1), column);
                case 2 -> {
                    program.add(at, at + size, cost + reduced, column);
                    at = waits ? at : at + size * random.nextInt(3) / 2;
                }
                case 3 -> {
                    program.add(-infinite, at, cost - reduced, column);
                    at = waits ? at : at - size;
                }
                default -> {
                    program.add(at, infinite, cost + reduced, column);
                    at = waits ? at : at + size;
                }
            }
            for (int i = 0; i < rows; i++) {
                right[i] += at * column[i];
            }
        }
        return program;
    }

    private static ProgramCase fit(SplittableRandom random, double range, DoubleUnaryOperator function) {
        int terms = 4 + random.nextInt(56);
        int points = 2 * terms + random.nextInt(4 * terms);
        boolean limits = random.nextBoolean();
        double[] rightSide = new double[1 + terms];
        rightSide[0] = 1;
        ProgramCase program = new ProgramCase("fit", rightSide);
        for (int v = 0; v < terms; v++) {
            double[] column = new double[1 + terms];
            column[1 + v] = 1;
            program.add(0, Double.POSITIVE_INFINITY, 0, column);
            if (limits) {
                column[1 + v] = -1;
                program.add(0, Double.POSITIVE_INFINITY, 1e4, column);
            }
        }
        for (int point = 0; point < points; point++) {
            double z = range * point / (points - 1);
            for (int sign = -1; sign <= 1; sign += 2) {
                double[] column = new double[1 + terms];
                column[0] = 1;
                for (int v = 0; v < terms; v++) {
                    column[1 + v] = sign * Math.cos(v * z);
                }
                program.add(0, Double.POSITIVE_INFINITY, -sign * function.applyAsDouble(z), column);
            }
        }
        return program;
    }

    private static void addBounded(ProgramCase program, SplittableRandom random, double cost, double[] column) {
        double infinite = Double.POSITIVE_INFINITY;
        double low = random.nextInt(5) - 2;
        switch (random.nextInt(16)) {
            case 0 -> program.add(-infinite, infinite, cost, column);
            case 1 -> program.add(-infinite, low, cost, column);
            case 2 -> program.add(low, infinite, cost, column);
            default -> program.add(low, low + random.nextInt(4), cost, column);
        }
    }

    private static double[] whole(SplittableRandom random, int rows, int largest) {
        return random.ints(rows, -largest, largest + 1).asDoubleStream().toArray();
    }

    private static double[] normal(SplittableRandom random, int rows) {
        double[] numbers = new double[rows];
        for (int i = 0; i < rows; i++) {
            numbers[i] = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
        }
        return numbers;
    }
}
