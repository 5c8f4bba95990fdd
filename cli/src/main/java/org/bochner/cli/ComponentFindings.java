package org.bochner.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.model.Transformer;

/** The variances of principal components or discriminant axes, as text and JSON. */
final class ComponentFindings {
    /** The largest number of components in text; the JSON has all. */
    private static final int MOST_SHOWN = 20;

    private ComponentFindings() {}

    /**
     * Returns a table of the variances.
     *
     * @param prefix the first letters of a component's name, before its number from 1
     */
    static String text(Transformer transformer, String prefix) {
        double[] variances = transformer.variances();
        double[] shares = transformer.varianceShares();
        Table table = new Table().line("component", "variance", "share", "total share");
        double total = 0;
        int count = variances.length;
        for (int c = 0; c < count; c++) {
            total += shares[c];
            if (c < MOST_SHOWN - 1 || c == count - 1) {
                table.line(
                        prefix + (c + 1),
                        Text.number(variances[c]),
                        Text.of("%.2f%%", 100 * shares[c]),
                        Text.of("%.2f%%", 100 * total));
            } else if (c == MOST_SHOWN - 1) {
                table.line("...");
            }
        }
        return table.toString();
    }

    /** Returns one object per component: its name, its variance, its share, and the share of all up to it. */
    static List<Map<String, Object>> json(Transformer transformer, String prefix) {
        double[] variances = transformer.variances();
        double[] shares = transformer.varianceShares();
        List<Map<String, Object>> list = new ArrayList<>();
        double total = 0;
        for (int c = 0; c < variances.length; c++) {
            total += shares[c];
            Map<String, Object> component = new LinkedHashMap<>();
            component.put("name", prefix + (c + 1));
            component.put("variance", variances[c]);
            component.put("share", shares[c]);
            component.put("totalShare", total);
            list.add(component);
        }
        return list;
    }

    /** Returns the shares of the first components in one line. */
    static String line(Transformer transformer) {
        double[] shares = transformer.varianceShares();
        StringBuilder text = new StringBuilder().append(shares.length).append(", with");
        double total = 0;
        for (int c = 0; c < shares.length; c++) {
            total += shares[c];
            if (c < 6) {
                text.append(c == 0 ? " " : ", ").append(Text.of("%.1f%%", 100 * shares[c]));
            } else if (c == 6) {
                text.append(", ...");
            }
        }
        return text.append(Text.of(" of the variance, %.1f%% in total", 100 * total))
                .toString();
    }
}
