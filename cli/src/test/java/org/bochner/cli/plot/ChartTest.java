package org.bochner.cli.plot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.bochner.base.BochnerException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {
    private static final double NAN = Double.NaN;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private static double[] of(double... values) {
        return values;
    }

    private static Panel linear() {
        return Panel.of("", Axis.linear("x"), Axis.linear("y"));
    }

    private static Panel logarithmic() {
        return Panel.of("", Axis.logarithmic("x"), Axis.logarithmic("y"));
    }

    private static Chart errorAgainstFeatures() {
        double[] features = of(128, 256, 512, 1024, 2048, 4096);
        return Chart.stacked(
                "fourier for gaussian(sigma=2)",
                Panel.of("Error", Axis.logarithmic("features"), Axis.logarithmic("|<φ(x), φ(y)> - k(x, y)|"))
                        .with(Series.line("max", features, of(0.3, 0.2, 0.15, 0.1, 0.08, 0.05)))
                        .with(Series.points("rms & \"mean\"", features, of(0.09, 0.06, 0.04, 0.03, 0.02, 0.014)))
                        .with(Series.dashed("1/√D", features, of(0.088, 0.0625, 0.044, 0.031, 0.022, 0.0156)))
                        .withHorizontal("wanted <= 0.05", 0.05)
                        .withVertical("suggested D", 700));
    }

    private static Chart signature() {
        double[] x = IntStream.range(0, 200).mapToDouble(i -> (i - 100) / 12.0).toArray();
        double[] y = IntStream.range(0, 200)
                .mapToDouble(i -> i == 50 ? NAN : 1 / Math.cosh(x[i] / 2))
                .toArray();
        Panel panel = linear().with(Series.line("exact", x, y));
        return Chart.sideBySide("signature", panel, panel.withHorizontal("zero", 0));
    }

    /** Charts that are hard to draw. */
    static Stream<Chart> awkward() {
        Panel many = linear();
        for (int i = 0; i < 60; i++) {
            many = many.with(Series.line("series " + i, of(0, 1), of(i, -i)));
        }
        String longName = "orthogonal(features=3000)@sampled(order=2,window=uniform)".repeat(4);
        return Stream.of(
                        linear(),
                        logarithmic(),
                        linear().with(Series.line("empty", of(), of())),
                        linear().with(Series.line("not a number", of(1, 2), of(NAN, NAN))),
                        linear().with(Series.dashed("one point", of(3), of(4))),
                        logarithmic().with(Series.line("one point", of(3), of(4))),
                        linear().with(Series.line("constant", of(1, 2, 3), of(0, 0, 0))),
                        logarithmic().with(Series.points("constant", of(7, 7, 7), of(1e-9, 1e-9, 1e-9))),
                        logarithmic().with(Series.line("not positive", of(-1, 0, 1), of(0, -5, 0))),
                        logarithmic().with(Series.line("wide", of(1e-300, 1, 1e300), of(1e300, 1, 1e-300))),
                        linear().with(Series.line("wide", of(-1e300, 1, 1e300), of(1e300, 1, -1e300))),
                        linear().with(Series.line("beyond", of(-Double.MAX_VALUE, 1, 2), of(1, 1e308, 2))),
                        logarithmic().with(Series.line("beneath", of(Double.MIN_VALUE, 1), of(1, Double.MIN_VALUE))),
                        linear().with(Series.line("tiny", of(0, Double.MIN_VALUE), of(1e-310, 3e-310))),
                        linear().with(Series.line("narrow", of(1, Math.nextUp(1)), of(1e15, 1e15 + 2e5))),
                        logarithmic().with(Series.line("narrow", of(1, Math.nextUp(1)), of(5, 5 + 1e-8))),
                        linear().with(Series.line("infinite", of(0, 1, 2), of(1, Double.POSITIVE_INFINITY, 2))),
                        logarithmic().withHorizontal("zero", 0).withVertical("alone", 5),
                        many,
                        Panel.of("", Axis.named("channel", List.of("shape", longName)), Axis.linear("weight"))
                                .with(Series.bar("shape", 0, 3))
                                .with(Series.bar("no number", 1, NAN)),
                        Panel.of(longName, Axis.linear(longName), Axis.linear(longName))
                                .with(Series.line(longName, of(123456.7, 123456.8), of(-1e-12, 2e-12))))
                .map(panel -> Chart.stacked("", panel, panel.with(Series.points("more", of(1, 2), of(1, 2))))
                        .withPanelSize(100, 100));
    }

    private static Document parse(String svg) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)));
        } catch (Exception e) {
            throw new AssertionError("not well-formed: " + svg, e);
        }
    }

    private static List<Element> elements(Document document, String tag) {
        NodeList nodes = document.getElementsByTagName(tag);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static List<String> texts(Document document) {
        return elements(document, "text").stream().map(Element::getTextContent).toList();
    }

    /** The points of lines with this colour, a list for each line. */
    private static List<List<Point>> lines(Document document, String colour) {
        return elements(document, "polyline").stream()
                .filter(line -> line.getAttribute("stroke").equals(colour))
                .map(ChartTest::points)
                .toList();
    }

    private static List<Point> points(Element element) {
        return Stream.of(element.getAttribute("points").split(" "))
                .map(pair -> pair.split(","))
                .map(pair -> new Point(Double.parseDouble(pair[0]), Double.parseDouble(pair[1])))
                .toList();
    }

    @Nested
    class AsSvg {
        @Test
        void showsEveryNameAndLabel() {
            List<String> texts = texts(parse(errorAgainstFeatures().svg()));
            for (String text : List.of(
                    "fourier for gaussian(sigma=2)",
                    "Error",
                    "features",
                    "|<φ(x), φ(y)> - k(x, y)|",
                    "max",
                    "rms & \"mean\"",
                    "1/√D",
                    "wanted <= 0.05",
                    "suggested D")) {
                assertTrue(texts.contains(text), () -> text + " is not in " + texts);
            }
        }

        @Test
        void bringsNoScriptAndNoFontOfItsOwn() {
            Document document = parse(errorAgainstFeatures().svg());
            Set<String> tags = new HashSet<>();
            elements(document, "*").forEach(element -> tags.add(element.getTagName()));
            assertEquals(Set.of("svg", "rect", "polyline", "polygon", "text"), tags);
            assertEquals("sans-serif", document.getDocumentElement().getAttribute("font-family"));
        }

        @Test
        void replacesCharactersThatXmlForbids() {
            String name = "a\u0000b\uD800c\uFFFFd\ne";
            String svg = Chart.stacked("", linear().with(Series.line(name, of(0), of(0))))
                    .svg();
            assertTrue(texts(parse(svg)).contains("a b\uFFFDc\uFFFDd e"), svg);
        }

        @Test
        void isTheSameForTheSameChart() {
            assertEquals(errorAgainstFeatures().svg(), errorAgainstFeatures().svg());
            assertEquals(signature().svg(), signature().svg());
        }

        @Test
        void tellsSeriesApartWithoutColour() {
            Panel panel = linear();
            for (int i = 0; i < 4; i++) {
                panel = panel.with(Series.line("solid " + i, of(0, 1), of(i, i)))
                        .with(Series.dashed("broken " + i, of(0, 1), of(i, -i)));
            }
            Document document = parse(Chart.stacked("", panel).svg());
            Set<String> dashes = new HashSet<>();
            elements(document, "polyline").forEach(line -> dashes.add(line.getAttribute("stroke-dasharray")));
            assertEquals(5, dashes.size(), "solid and four ways of being broken");
            Set<List<Point>> shapes = new HashSet<>();
            for (Element marker : elements(document, "polygon")) {
                List<Point> corners = points(marker);
                Point first = corners.get(0);
                shapes.add(corners.stream()
                        .map(p -> new Point(Math.rint(p.x() - first.x()), Math.rint(p.y() - first.y())))
                        .toList());
            }
            assertTrue(shapes.size() >= 3, () -> "markers of solid lines are " + shapes);
        }

        @ParameterizedTest
        @MethodSource("org.bochner.cli.plot.ChartTest#awkward")
        void staysInsideItsViewBox(Chart chart) {
            Document document = parse(chart.svg());
            Element svg = document.getDocumentElement();
            double width = Double.parseDouble(svg.getAttribute("width"));
            double height = Double.parseDouble(svg.getAttribute("height"));
            assertEquals("0 0 " + (int) width + " " + (int) height, svg.getAttribute("viewBox"));
            List<Point> points = new ArrayList<>();
            elements(document, "polyline").forEach(line -> points.addAll(points(line)));
            elements(document, "polygon").forEach(shape -> points.addAll(points(shape)));
            for (Element text : elements(document, "text")) {
                double x = Double.parseDouble(text.getAttribute("x"));
                double y = Double.parseDouble(text.getAttribute("y"));
                double size = Double.parseDouble(text.getAttribute("font-size"));
                double length = Letters.width(text.getTextContent(), size);
                double before =
                        switch (text.getAttribute("text-anchor")) {
                            case "start" -> 0;
                            case "middle" -> length / 2;
                            default -> length;
                        };
                if (text.hasAttribute("transform")) {
                    points.add(new Point(x - size, y + before));
                    points.add(new Point(x, y + before - length));
                } else {
                    points.add(new Point(x - before, y - size));
                    points.add(new Point(x - before + length, y));
                }
            }
            for (Point point : points) {
                assertTrue(
                        point.x() >= 0 && point.x() <= width && point.y() >= 0 && point.y() <= height,
                        () -> point + " is outside " + width + " x " + height);
            }
        }
    }

    @Nested
    class Lines {
        private static final String FIRST = "#0072b2";

        /** The lines of the first series, less the sample in the legend, which comes first. */
        private static List<List<Point>> drawn(Panel panel) {
            List<List<Point>> lines = lines(parse(Chart.stacked("", panel).svg()), FIRST);
            return lines.stream().filter(line -> line.get(0).y() > 40).toList();
        }

        @Test
        void goThroughPointsInOrder() {
            List<Point> line = drawn(linear().with(Series.line("a", of(0, 1, 3), of(2, 4, 3))))
                    .get(0);
            assertEquals(3, line.size());
            double step = line.get(1).x() - line.get(0).x();
            // Coordinates are written to hundredths.
            assertEquals(2 * step, line.get(2).x() - line.get(1).x(), 0.03);
            double rise = line.get(0).y() - line.get(1).y();
            assertTrue(rise > 0, "larger is higher");
            assertEquals(rise / 2, line.get(2).y() - line.get(1).y(), 0.03);
        }

        @Test
        void takeEqualStepsForEqualFactorsOnLogarithmicAxes() {
            List<Point> line = drawn(logarithmic().with(Series.line("a", of(1, 10, 100), of(1, 1e-3, 1e-6))))
                    .get(0);
            assertEquals(
                    line.get(1).x() - line.get(0).x(),
                    line.get(2).x() - line.get(1).x(),
                    0.03);
            assertEquals(
                    line.get(1).y() - line.get(0).y(),
                    line.get(2).y() - line.get(1).y(),
                    0.03);
        }

        @ParameterizedTest
        @ValueSource(doubles = {NAN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
        void breakWhereAValueIsNotFinite(double gap) {
            List<List<Point>> lines = drawn(linear().with(Series.line("a", of(0, 1, 2, 3, 4), of(0, 1, gap, 1, 2))));
            assertEquals(List.of(2, 2), lines.stream().map(List::size).toList());
        }

        @Test
        void breakWhereALogarithmicAxisHasNoPlace() {
            List<List<Point>> lines = drawn(logarithmic().with(Series.line("a", of(1, 2, 3, 4, 5), of(1, 2, 0, 3, 4))));
            assertEquals(List.of(2, 2), lines.stream().map(List::size).toList());
        }

        @Test
        void showASinglePointBetweenGapsAsAMarker() {
            Panel panel = linear().with(Series.dashed("a", of(0, 1, 2), of(1, NAN, 1)));
            assertEquals(List.of(), drawn(panel));
            assertEquals(
                    2,
                    elements(parse(Chart.stacked("", panel).svg()), "polygon").size());
        }

        @Test
        void ofManyPointsCarryFewMarkers() {
            int markers = elements(parse(signature().svg()), "polygon").size();
            assertTrue(markers > 4 && markers < 30, () -> markers + " markers");
        }

        @Test
        void withoutAnythingToShowSayIt() {
            Panel panel = logarithmic().with(Series.line("exact", of(1, 2), of(0, 0)));
            List<String> texts = texts(parse(Chart.stacked("", panel).svg()));
            assertTrue(
                    texts.contains("exact (no value to show)") && texts.contains("no value to show"), texts::toString);
        }
    }

    @Nested
    class Ticks {
        private static List<String> labels(Axis axis, double... values) {
            return new Ruler(axis, DoubleStream.of(values))
                    .ticks(8, ticks -> true).stream()
                            .map(Ruler.Tick::label)
                            .filter(label -> !label.isEmpty())
                            .toList();
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                0        | 1        | 0.0 0.2 0.4 0.6 0.8 1.0
                0        | 0.7      | 0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7
                -3       | 4        | -3 -2 -1 0 1 2 3 4
                0.1      | 0.3      | 0.10 0.15 0.20 0.25 0.30
                0        | 999999   | 0 2e5 4e5 6e5 8e5 1e6
                0        | 90000    | 0 20000 40000 60000 80000
                0        | 3e-7     | 0 5e-8 1e-7 1.5e-7 2e-7 2.5e-7 3e-7
                1000.001 | 1000.004 | 1000.0010 1000.0015 1000.0020 1000.0025 1000.0030 1000.0035 1000.0040
                -1e300   | 1e300    | -1e300 -5e299 0 5e299 1e300
                5        | 5        | 3 4 5 6 7
                0        | 0        | -1.0 -0.5 0.0 0.5 1.0
                """)
        void areRoundOnLinearAxes(double low, double high, String labels) {
            assertEquals(List.of(labels.split(" ")), labels(Axis.linear(""), low, high));
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                1e-6   | 10     | 1e-6 1e-5 1e-4 0.001 0.01 0.1 1 10
                0.001  | 0.9    | 0.001 0.01 0.1 1
                0.003  | 0.2    | 0.005 0.01 0.02 0.05 0.1 0.2
                128    | 4096   | 200 500 1000 2000
                2000   | 8000   | 2000 3000 4000 5000 6000 7000 8000
                1e5    | 1e9    | 100000 1e6 1e7 1e8 1e9
                1e-12  | 1      | 1e-12 1e-10 1e-8 1e-6 1e-4 0.01 1
                1e-300 | 1e300  | 1e-300 1e-200 1e-100 1 1e100 1e200 1e300
                """)
        void areDecadesOrRoundOnLogarithmicAxes(double low, double high, String labels) {
            assertEquals(List.of(labels.split(" ")), labels(Axis.logarithmic(""), low, high));
        }

        @Test
        void lieWhereTheirLabelsSay() {
            for (Axis axis : List.of(Axis.linear(""), Axis.logarithmic(""))) {
                for (double high : of(3, 17, 99, 1e4, 7e9)) {
                    Ruler ruler = new Ruler(axis, DoubleStream.of(1.7, high));
                    for (Ruler.Tick tick : ruler.ticks(8, ticks -> true)) {
                        assertTrue(tick.at() >= 0 && tick.at() <= 1, tick::toString);
                        if (tick.isLabelled()) {
                            assertEquals(ruler.at(Double.parseDouble(tick.label())), tick.at(), 1e-12);
                        }
                    }
                }
            }
        }

        @Test
        void divideDecadesByNinths() {
            long small = new Ruler(Axis.logarithmic(""), DoubleStream.of(1, 1e4))
                    .ticks(8, ticks -> true).stream()
                            .filter(tick -> !tick.isLabelled() && tick.at() > 0.04 && tick.at() < 0.96)
                            .count();
            assertEquals(4 * 8, small);
        }
    }

    @Nested
    class Written {
        @Test
        void asSvgIsUtf8() throws IOException {
            Path file = folder.resolve("Error.SVG");
            errorAgainstFeatures().write(file);
            assertArrayEquals(errorAgainstFeatures().svg().getBytes(StandardCharsets.UTF_8), Files.readAllBytes(file));
        }

        @Test
        void asPngIsTwiceAsLargeAsItsSvgAndColoured() throws IOException {
            Path file = folder.resolve("error.png");
            errorAgainstFeatures().write(file);
            BufferedImage image = ImageIO.read(file.toFile());
            Element svg = parse(errorAgainstFeatures().svg()).getDocumentElement();
            assertEquals(2 * Integer.parseInt(svg.getAttribute("width")), image.getWidth());
            assertEquals(2 * Integer.parseInt(svg.getAttribute("height")), image.getHeight());
            Set<Integer> colours = new HashSet<>();
            for (int x = 0; x < image.getWidth(); x++) {
                for (int y = 0; y < image.getHeight(); y++) {
                    colours.add(image.getRGB(x, y) & 0xFFFFFF);
                }
            }
            // Paper, and the three series.
            assertTrue(colours.containsAll(List.of(0xFFFFFF, 0x0072B2, 0xD55E00, 0x009E73)), "colours are missing");
            assertEquals(0xFFFFFF, image.getRGB(0, 0) & 0xFFFFFF);
        }

        @ParameterizedTest
        @MethodSource("org.bochner.cli.plot.ChartTest#awkward")
        void asPngWhateverTheData(Chart chart) throws IOException {
            Path file = folder.resolve("awkward.png");
            chart.write(file);
            assertNotEquals(0, ImageIO.read(file.toFile()).getWidth());
        }

        @Test
        void replacesAFileAndLeavesNothingElse() throws IOException {
            Path file = folder.resolve("plot.svg");
            Files.writeString(file, "old");
            Chart.checkWritable(file);
            assertEquals("old", Files.readString(file));
            signature().write(file);
            assertEquals(signature().svg(), Files.readString(file));
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(List.of(file), files.toList());
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"plot.pdf", "plot", "svg", "plot.svg.gz"})
        void needsAKnownEnding(String name) {
            Path file = folder.resolve(name);
            for (BochnerException e : List.of(
                    assertThrows(BochnerException.class, () -> Chart.checkWritable(file)),
                    assertThrows(BochnerException.class, () -> signature().write(file)))) {
                String message = String.valueOf(e.getMessage());
                assertTrue(message.contains(name) && message.contains(".svg") && message.contains(".png"), message);
            }
            assertFalse(Files.exists(file));
        }

        @Test
        void needsAFolderThatExists() {
            Path file = folder.resolve("missing").resolve("plot.png");
            assertThrows(BochnerException.class, () -> Chart.checkWritable(file));
            assertThrows(BochnerException.class, () -> signature().write(file));
        }

        @Test
        void asPngNeedsJavaDesktopAndAsSvgDoesNot() throws IOException, InterruptedException {
            Path svg = folder.resolve("small.svg");
            Path png = folder.resolve("small.png");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--limit-modules",
                            "java.base",
                            "-cp",
                            System.getProperty("java.class.path"),
                            SmallJava.class.getName(),
                            svg.toString(),
                            png.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), output);
            assertTrue(output.contains("small.png: this Java cannot draw PNG") && output.contains(".svg"), output);
            assertTrue(Files.exists(svg) && !Files.exists(png), output);
        }
    }

    /** Run by a Java without java.desktop: prints why the second file was refused. */
    static final class SmallJava {
        private SmallJava() {}

        public static void main(String[] files) {
            // Nothing of the test itself, whose classes need more of Java.
            Chart chart = Chart.stacked("small", Panel.of("", Axis.linear("x"), Axis.linear("y")));
            chart.write(Path.of(files[0]));
            try {
                chart.write(Path.of(files[1]));
            } catch (BochnerException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Nested
    class Refuses {
        @Test
        void coordinatesOfDifferentCount() {
            assertThrows(IllegalArgumentException.class, () -> Series.line("a", of(1, 2), of(1)));
        }

        @Test
        void referenceLinesAtNoValue() {
            assertThrows(IllegalArgumentException.class, () -> linear().withHorizontal("wanted", NAN));
        }

        @Test
        void picturesWithoutPanelOrRoom() {
            assertThrows(IllegalArgumentException.class, () -> Chart.stacked("nothing"));
            assertThrows(IllegalArgumentException.class, () -> signature().withPanelSize(99, 100));
            assertDoesNotThrow(() -> signature().withPanelSize(100, 100));
        }
    }
}
