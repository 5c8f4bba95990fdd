package org.bochner.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import org.bochner.cli.plot.Axis;
import org.bochner.cli.plot.Chart;
import org.bochner.cli.plot.Panel;
import org.bochner.cli.plot.Point;
import org.bochner.cli.plot.Series;
import org.bochner.design.Design;

/** Draws the results of the design command: the signature, its approximation, and the error. */
final class DesignPlot {
    private static final int WIDTH = 620;
    private static final int HEIGHT = 260;
    private static final int POINTS = 601;

    private final DesignFindings findings;
    private final Design design;

    private DesignPlot(DesignFindings findings) {
        this.findings = findings;
        this.design = findings.design();
    }

    static Chart of(DesignFindings findings) {
        return new DesignPlot(findings).chart();
    }

    private Chart chart() {
        Axis x = xAxis();
        boolean ratios = findings.problem().ofRatios();
        Panel values = Panel.of("signature and design", x, Axis.linear(ratios ? "K" : "k"));
        Panel errors = Panel.of(errorTitle(), x, Axis.linear(errorLabel()));
        for (Cut cut : cuts()) {
            values = values.with(series(cut, cut.name("design"), Series.Style.LINE, design::at));
            errors = errors.with(series(cut, cut.name("error"), Series.Style.LINE, design::errorAt));
        }
        for (Cut cut : cuts()) {
            values = values.with(series(cut, cut.name("signature"), Series.Style.DASHED, design::signatureAt));
        }
        if (!findings.mean()) {
            String bound = ErrorText.number(design.error());
            errors = errors.withHorizontal("+" + bound, design.error()).withHorizontal("-" + bound, -design.error());
        }
        return Chart.stacked(title(), values, errors).withPanelSize(WIDTH, HEIGHT);
    }

    private String title() {
        return Text.of(
                "%s: %d dimensions, %s error %s",
                findings.problem().kernel(),
                design.dimension(),
                findings.mean() ? "mean" : "largest",
                ErrorText.number(design.error()));
    }

    private String errorTitle() {
        return findings.problem().relative() ? "relative error" : "error";
    }

    private String errorLabel() {
        if (findings.problem().relative()) {
            return "(design - k) / k";
        }
        return findings.problem().ofRatios() ? "error / largest value" : "design - k";
    }

    private Axis xAxis() {
        if (findings.problem().ofRatios()) {
            return Axis.logarithmic("ratio of the two values");
        }
        return Axis.linear(sameLengths() ? "difference of the values" : "share of the largest difference");
    }

    private boolean sameLengths() {
        return design.lengths().stream().distinct().count() == 1;
    }

    /** A straight line from the difference 0 to the end of one axis, or of all axes. */
    private record Cut(String where, List<Double> end) {
        String name(String what) {
            return where.isEmpty() ? what : what + ", " + where;
        }
    }

    private List<Cut> cuts() {
        int columns = design.columns();
        List<Cut> cuts = new ArrayList<>();
        List<Double> corner = design.lengths();
        for (int l = 0; l < columns; l++) {
            List<Double> end = new ArrayList<>(Collections.nCopies(columns, 0.0));
            end.set(l, corner.get(l));
            cuts.add(new Cut(columns == 1 ? "" : "column " + l, end));
        }
        if (columns > 1) {
            cuts.add(new Cut("diagonal", corner));
        }
        return cuts;
    }

    private Series series(Cut cut, String name, Series.Style style, ToDoubleFunction<double[]> function) {
        boolean ratios = findings.problem().ofRatios();
        double length = sameLengths() ? design.lengths().get(0) : 1;
        DoubleUnaryOperator place = share -> ratios ? Math.exp(share * length) : share * length;
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < POINTS; i++) {
            double share = (double) i / (POINTS - 1);
            double[] z = cut.end.stream().mapToDouble(end -> share * end).toArray();
            points.add(new Point(place.applyAsDouble(share), function.applyAsDouble(z)));
        }
        return new Series(name, style, points);
    }
}
