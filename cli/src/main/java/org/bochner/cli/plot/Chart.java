package org.bochner.cli.plot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Require;

/**
 * A picture of one or several panels under one title. Its size follows from the panels, their labels and their legends.
 * A legend stands above its panel.
 *
 * @param title the title above all panels; may be empty
 * @param sideBySide true if panels are beside each other; false if they are stacked
 * @param width the width of the area between the axes of a panel
 * @param height the height of the area between the axes of a panel
 */
public record Chart(String title, List<Panel> panels, boolean sideBySide, int width, int height) {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 320;

    public Chart {
        panels = List.copyOf(panels);
        Require.atLeast("chart", "count of panels", panels.size(), 1);
        Require.atLeast("chart", "width", width, 100);
        Require.atLeast("chart", "height", height, 100);
    }

    /** Returns a chart of panels under each other. */
    public static Chart stacked(String title, Panel... panels) {
        return new Chart(title, List.of(panels), false, WIDTH, HEIGHT);
    }

    /** Returns a chart of panels beside each other. */
    public static Chart sideBySide(String title, Panel... panels) {
        return new Chart(title, List.of(panels), true, WIDTH, HEIGHT);
    }

    /** Returns this chart with another size of the area between the axes of each panel. */
    public Chart withPanelSize(int width, int height) {
        return new Chart(title, panels, sideBySide, width, height);
    }

    /**
     * Fails if {@link #write} would fail; called before the work for the chart.
     *
     * @throws BochnerException if the ending is not known, the file cannot be written, or this Java cannot draw PNG
     */
    public static void checkWritable(Path file) {
        if (isPng(file)) {
            requirePng(file);
        }
        AtomicFile.checkWritable(file);
    }

    /**
     * Writes the picture, whole or not at all: as SVG if the name ends in {@code .svg}, and as PNG with two pixels per
     * unit if it ends in {@code .png}.
     *
     * @throws BochnerException if the ending is not known, the file cannot be written, or this Java cannot draw PNG
     */
    public void write(Path file) {
        byte[] bytes;
        if (isPng(file)) {
            requirePng(file);
            bytes = png();
        } else {
            bytes = svg().getBytes(StandardCharsets.UTF_8);
        }
        try (AtomicFile output = AtomicFile.create(file)) {
            output.stream().write(bytes);
            output.commit();
        } catch (IOException e) {
            throw AtomicFile.unwritable(file.toString(), e);
        }
    }

    /** Returns the picture as an SVG document; equal charts give equal documents. */
    public String svg() {
        Layout layout = new Layout(this);
        SvgSurface surface = new SvgSurface(layout.width(), layout.height());
        layout.draw(surface);
        return surface.document();
    }

    private byte[] png() {
        Layout layout = new Layout(this);
        PngSurface surface = new PngSurface(layout.width(), layout.height());
        layout.draw(surface);
        return surface.bytes();
    }

    private static boolean isPng(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (!name.endsWith(".svg") && !name.endsWith(".png")) {
            throw DataException.in(file.toString(), "the name of a plot must end in .svg or .png");
        }
        return name.endsWith(".png");
    }

    /**
     * Fails if this Java cannot draw PNG: it may lack java.desktop, its native libraries or all fonts, which cause
     * different exceptions.
     */
    private static void requirePng(Path file) {
        try {
            PngSurface.tryLetters();
        } catch (LinkageError | InternalError | RuntimeException e) {
            throw DataException.in(
                    file.toString(),
                    "this Java cannot draw PNG files, because java.desktop or fonts are missing; use a name that"
                            + " ends in .svg, which needs neither",
                    e);
        }
    }
}
