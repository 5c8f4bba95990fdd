package org.bochner.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.Spelling;
import org.bochner.design.Design;
import org.bochner.design.DesignProblem;
import org.bochner.design.Form;
import org.bochner.design.Pool;
import org.bochner.map.DesignRival;

/** Prints the results of the design command for people. */
final class DesignText {
    private final DesignFindings findings;
    private final DesignProblem problem;
    private final Design design;

    private DesignText(DesignFindings findings) {
        this.findings = findings;
        this.problem = findings.problem();
        this.design = findings.design();
    }

    static String of(DesignFindings findings) {
        return new DesignText(findings).text();
    }

    private String text() {
        String newline = System.lineSeparator();
        StringBuilder text = new StringBuilder().append(facts());
        text.append(newline).append(terms()).append(newline);
        if (design.columns() > 1) {
            text.append(
                            design.form() == Form.MODULATION
                                    ? "a term is the product of the columns' cosines, cos(w0 z0) cos(w1 z1) ..."
                                    : "a term is the cosine of the sum, cos(w0 z0 + w1 z1 + ...)")
                    .append(newline)
                    .append(newline);
        }
        text.append(map()).append(newline);
        if (!findings.rivals().isEmpty()) {
            text.append(newline)
                    .append("maps of the same dimension")
                    .append(newline)
                    .append(comparison());
        }
        return text.toString();
    }

    private String facts() {
        Facts facts = new Facts()
                .add("kernel", problem.kernel())
                .add(
                        "range",
                        range() + findings.where().map(name -> ", of " + name).orElse(""))
                .add("dimension", dimension())
                .add(errorName(), error())
                .add("certificate", certificate());
        if (design.gridPoints() > 0) {
            facts.add(
                    "grid",
                    Text.of(
                            "%,d points; the error is measured on a grid at least ten times finer",
                            design.gridPoints()));
        }
        return facts.add("time", Text.of("%.2f s", findings.seconds())).toString();
    }

    private String dimension() {
        int dimension = design.dimension();
        return dimension
                + (dimension == 1 ? " feature" : " features")
                + (problem.ofRatios() ? " per column" : "")
                + (dimension < findings.asked() ? ", of at most " + findings.asked() : "");
    }

    private String errorName() {
        return (findings.mean() ? "mean " : "largest ") + (problem.relative() ? "relative error" : "error");
    }

    private String error() {
        String error = ErrorText.number(design.error());
        if (!problem.ofRatios() || problem.relative()) {
            return error;
        }
        return error + " of the largest value"
                + problem.ranges()
                        .get(0)
                        .map(interval -> ", " + ErrorText.number(design.error() * problem.largest()) + " at "
                                + Spelling.print(interval.high()))
                        .orElse("");
    }

    /** Returns the range of values, in words. */
    private String range() {
        if (problem.universal()) {
            return "all ratios of values";
        }
        if (problem.columns() > 1) {
            return IntStream.range(0, problem.columns())
                    .mapToObj(l -> "column " + l + " " + range(l))
                    .collect(Collectors.joining(", "));
        }
        return "values " + range(0)
                + (problem.ofRatios()
                        ? problem.ranges()
                                .get(0)
                                .map(interval -> ", ratios up to " + rounded(interval.high() / interval.low()))
                                .orElse("")
                        : "");
    }

    private String range(int column) {
        return problem.ranges()
                .get(column)
                .map(interval -> "from " + Spelling.print(interval.low()) + " to " + Spelling.print(interval.high()))
                .orElseGet(() -> "with the period " + Spelling.print(problem.period(column)));
    }

    private static String rounded(double ratio) {
        return Spelling.print(new BigDecimal(ratio).round(new MathContext(4)).doubleValue());
    }

    private String certificate() {
        if (design.error() == 0) {
            return "the design is exact";
        }
        if (!(design.certificate() > 0)) {
            return "none, because no linear program was solved for the weights";
        }
        return "the error of any weights on these frequencies is at least " + ErrorText.number(design.certificate())
                + Text.of(
                        " (the error is %.4f times this bound); other frequencies may have a smaller error",
                        design.error() / design.certificate());
    }

    private Table terms() {
        Table table = new Table();
        int columns = design.columns();
        table.line(Stream.concat(
                        Stream.of("features", "weight"),
                        IntStream.range(0, columns).mapToObj(l -> columns == 1 ? "frequency" : "frequency " + l))
                .toArray(String[]::new));
        for (int j = 0; j < design.count(); j++) {
            table.line(Stream.concat(
                            Stream.of(Integer.toString(design.dimension(j)), digits(design.spectralWeight(j))),
                            Arrays.stream(design.frequency(j)).mapToObj(DesignText::digits))
                    .toArray(String[]::new));
        }
        return table;
    }

    private static String digits(double value) {
        return value == 0 ? "0" : Text.of("%.8g", value);
    }

    private String map() {
        boolean different =
                problem.ranges().stream().flatMap(Optional::stream).distinct().count() > 1;
        return findings.map()
                .map(map -> "--map '" + map + "'" + (different ? "    (takes the columns' ranges from the data)" : ""))
                .orElseGet(() -> "no --map makes this design: lp "
                        + (design.plan().pool() == Pool.POLAR
                                ? "starts from the product pool"
                                : "searches among all frequencies"));
    }

    private Table comparison() {
        Table table = new Table();
        table.line(cells("map", "features", "error", highest(), "the design's error is"));
        line(table, findings.map().orElse("the design"), design.dimension(), design.error(), "");
        for (DesignRival rival : findings.rivals()) {
            line(
                    table,
                    rival.map(),
                    rival.features(),
                    rival.error(),
                    design.error() > 0 ? times(rival.error() / design.error()) : "");
        }
        return table;
    }

    private String highest() {
        return problem.ranges()
                .get(0)
                .map(interval -> "at " + Spelling.print(interval.high()))
                .orElse("");
    }

    private void line(Table table, String map, int features, double error, String times) {
        OptionalDouble atHighest = findings.atHighest(error);
        String value = atHighest.isPresent() ? ErrorText.number(atHighest.getAsDouble()) : "";
        table.line(cells(map, Integer.toString(features), ErrorText.number(error), value, times));
    }

    /** Leaves out the error at the largest value if there is none. */
    private String[] cells(String map, String features, String error, String atHighest, String times) {
        return findings.atHighest(0).isPresent()
                ? new String[] {map, features, error, atHighest, times}
                : new String[] {map, features, error, times};
    }

    /** Compares the error of a design with that of another map, in words. */
    static String times(double ratio) {
        if (ratio < 1) {
            return factor(1 / ratio) + " times larger";
        }
        return factor(ratio) + " times smaller";
    }

    private static String factor(double ratio) {
        return Text.of(ratio < 9.95 ? "%.1f" : ratio < 1e6 ? "%.0f" : "%.1e", ratio);
    }
}
