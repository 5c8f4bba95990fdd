package org.bochner.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** A surface of pixels, with two pixels per unit in each direction. It needs no display. */
final class PngSurface implements Surface {
    private static final int SCALE = 2;

    static {
        // AWT reads this property when it starts; otherwise it fails on machines without a display.
        System.setProperty("java.awt.headless", "true");
    }

    private final BufferedImage image;
    private final Graphics2D graphics;

    PngSurface(int width, int height) {
        image = new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(SCALE, SCALE);
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    }

    /** Draws a letter, which fails if this Java lacks a part that pictures need. */
    static void tryLetters() {
        new PngSurface(1, 1).text("a", new Point(0, 0), new Lettering(12, "#000000", Anchor.MIDDLE, false, false));
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // Not written directly to the stream, because ImageIO would keep the picture in a temporary file.
        try (MemoryCacheImageOutputStream output = new MemoryCacheImageOutputStream(bytes)) {
            if (!ImageIO.write(image, "png", output)) {
                throw new IllegalStateException("this Java has no writer of PNG files");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public void line(List<Point> points, Pen pen) {
        float[] dashes = new float[pen.dashes().size()];
        for (int i = 0; i < dashes.length; i++) {
            dashes[i] = pen.dashes().get(i).floatValue();
        }
        graphics.setColor(Color.decode(pen.colour()));
        graphics.setStroke(new BasicStroke(
                (float) pen.width(),
                BasicStroke.CAP_BUTT,
                BasicStroke.JOIN_ROUND,
                1,
                dashes.length == 0 ? null : dashes,
                0));
        graphics.draw(path(points));
    }

    @Override
    public void shape(List<Point> corners, String colour) {
        Path2D path = path(corners);
        path.closePath();
        graphics.setColor(Color.decode(colour));
        graphics.fill(path);
        graphics.setColor(Color.WHITE);
        graphics.setStroke(new BasicStroke(0.8f));
        graphics.draw(path);
    }

    @Override
    public void text(String text, Point at, Lettering lettering) {
        Font font = new Font(Font.SANS_SERIF, lettering.bold() ? Font.BOLD : Font.PLAIN, 1)
                .deriveFont((float) lettering.size());
        graphics.setFont(font);
        graphics.setColor(Color.decode(lettering.colour()));
        double width =
                font.getStringBounds(text, graphics.getFontRenderContext()).getWidth();
        double before =
                switch (lettering.anchor()) {
                    case START -> 0;
                    case MIDDLE -> width / 2;
                    case END -> width;
                };
        AffineTransform upright = graphics.getTransform();
        graphics.translate(at.x(), at.y());
        graphics.rotate(lettering.upward() ? -Math.PI / 2 : 0);
        graphics.drawString(text, (float) -before, 0f);
        graphics.setTransform(upright);
    }

    private static Path2D path(List<Point> points) {
        Path2D path = new Path2D.Double();
        path.moveTo(points.get(0).x(), points.get(0).y());
        points.stream().skip(1).forEach(point -> path.lineTo(point.x(), point.y()));
        return path;
    }
}
