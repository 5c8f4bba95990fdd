package org.bochner.cli;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.DataFormat;
import org.bochner.data.DataOptions;
import org.bochner.data.Task;
import org.bochner.design.Form;
import org.bochner.design.Norm;
import org.bochner.design.Pool;
import org.bochner.design.Search;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.model.AdditiveCurves;
import org.bochner.scale.Scalings;
import org.bochner.tune.Sharing;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of flags, and lists the values that a shell may complete. */
final class Words {
    private static final String DOMAIN = "--domain";

    private Words() {}

    static void register(CommandLine line) {
        register(line, DataFormat.class);
        register(line, Task.class);
        register(line, ReadingFlags.Header.class);
        register(line, DataOptions.Decimal.class);
        register(line, ReadingFlags.Missing.class);
        register(line, ModelDataFlags.Unseen.class);
        register(line, ErrorMeasure.class);
        register(line, ErrorKind.class);
        register(line, Norm.class);
        register(line, Form.class);
        register(line, Pool.class);
        register(line, Search.class);
        line.registerConverter(Charset.class, Words::charset);
        line.registerConverter(Character.class, Words::separator);
        line.registerConverter(Integer.class, Words::wholeNumber);
        line.registerConverter(int.class, Words::wholeNumber);
        line.registerConverter(Long.class, Words::longNumber);
        line.registerConverter(long.class, Words::longNumber);
        line.registerConverter(Double.class, Words::number);
    }

    private static <E extends Enum<E>> void register(CommandLine line, Class<E> type) {
        List<String> words = of(type);
        line.registerConverter(
                type, text -> Enum.valueOf(type, oneOf(words, text).toUpperCase(Locale.ROOT)));
    }

    /** Returns a value in lower case if it is one of some words. */
    private static String oneOf(List<String> words, String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (!words.contains(word)) {
            throw new TypeConversionException(
                    "must be " + either(words) + ", got '" + text + "'" + Spelling.hintIfSimilar(text, words));
        }
        return word;
    }

    /** Returns the values of an enumeration in lower case. */
    private static List<String> of(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns "learner", "map" or "kernel" if the word is the name of one; else an empty text. */
    static String kindOf(String word) {
        if (Learner.names().contains(word)) {
            return "learner";
        }
        if (FeatureMaps.names().contains(word)) {
            return "map";
        }
        return Kernels.families().stream().anyMatch(family -> family.name().equals(word)) ? "kernel" : "";
    }

    // The values that a shell offers for a flag; picocli creates an object of each class.

    static final class Formats extends Constants<DataFormat> {}

    static final class Tasks extends Constants<Task> {}

    static final class Headers extends Constants<ReadingFlags.Header> {}

    static final class Decimals extends Constants<DataOptions.Decimal> {}

    static final class Missings extends Constants<ReadingFlags.Missing> {}

    static final class Unseens extends Constants<ModelDataFlags.Unseen> {}

    static final class CategoryFeatures extends Offers {
        CategoryFeatures() {
            super(List.of("one-hot", "hash", "means"));
        }
    }

    static final class Metrics extends Offers {
        Metrics() {
            super(List.of("error", "balanced-error", "rmse", "mae"));
        }
    }

    static final class DateFeatures extends Offers {
        DateFeatures() {
            super(List.of("days", "parts", "cyclic"));
        }
    }

    static final class Measures extends Constants<ErrorMeasure> {}

    static final class Weights extends Constants<ErrorKind> {}

    static final class Norms extends Constants<Norm> {}

    static final class Forms extends Constants<Form> {}

    static final class CurveForms extends Offers {
        CurveForms() {
            super(AdditiveCurves.forms());
        }
    }

    static final class Pools extends Constants<Pool> {}

    static final class Searches extends Constants<Search> {}

    static final class KernelNames extends Offers {
        KernelNames() {
            super(Kernels.families().stream().map(KernelFamily::name).toList());
        }
    }

    static final class MapNames extends Offers {
        MapNames() {
            super(FeatureMaps.names());
        }
    }

    static final class LearnerNames extends Offers {
        LearnerNames() {
            super(Learner.names());
        }
    }

    static final class ScalingNames extends Offers {
        ScalingNames() {
            super(Scalings.names());
        }
    }

    static final class Precisions extends Offers {
        Precisions() {
            super(List.of("float", "double"));
        }
    }

    static final class Sharings extends Offers {
        Sharings() {
            super(Arrays.stream(Sharing.values()).map(Sharing::toString).toList());
        }
    }

    /** The constants of the enumeration that a subclass names as its type argument. */
    private abstract static class Constants<E extends Enum<E>> extends Offers {
        @SuppressWarnings("unchecked") // the bound of E
        Constants() {
            super(new ArrayList<>());
            Type type = ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments()[0];
            words.addAll(of((Class<E>) type));
        }
    }

    private abstract static class Offers implements Iterable<String> {
        final List<String> words;

        Offers(List<String> words) {
            this.words = words;
        }

        @Override
        public Iterator<String> iterator() {
            return words.iterator();
        }
    }

    private static Charset charset(String text) {
        try {
            return Charset.forName(text.strip());
        } catch (IllegalArgumentException e) {
            List<String> names = new ArrayList<>();
            Charset.availableCharsets().forEach((name, charset) -> {
                names.add(name);
                names.addAll(charset.aliases());
            });
            throw new TypeConversionException(
                    "must be the name of a character encoding, such as UTF-8, ISO-8859-1, windows-1252 or UTF-16;"
                            + " got '" + text + "'"
                            + Spelling.hintIfSimilar(text, names));
        }
    }

    /** Parses the delimiter of cells, given as a character or by its name. */
    private static Character separator(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "tab", "\\t" -> '\t';
            case "space", "blank" -> ' ';
            case "comma" -> ',';
            case "semicolon" -> ';';
            case "bar", "pipe" -> '|';
            default -> {
                if (text.length() != 1) {
                    throw new TypeConversionException(
                            "must be one character, such as ';', or tab, space, comma, semicolon or bar; got '" + text
                                    + "'");
                }
                yield text.charAt(0);
            }
        };
    }

    /** Reads a share, as 0.2 or 20%. */
    static final class Shares implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                return Spelling.toShare("", text);
            } catch (SpellingException e) {
                throw (TypeConversionException)
                        new TypeConversionException(SettingFlags.message(e).strip()).initCause(e);
            }
        }
    }

    /** Reads the level of intervals, as 0.9 or 90%: a number between 0 and 1. */
    static final class Levels implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            double level = new Shares().convert(text);
            if (!(level > 0 && level < 1)) {
                String percent = level >= 50 && level < 100 ? "; write " + Spelling.print(level) + "%" : "";
                throw new TypeConversionException(
                        "must lie strictly between 0 and 1, such as 0.9 or 90%, got '" + text.strip() + "'" + percent);
            }
            return level;
        }
    }

    /** Reads the form of compiled curves. */
    static final class CurveFormNames implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return oneOf(AdditiveCurves.forms(), text);
        }
    }

    /** Reads an interval, LOW:HIGH, of --domain. */
    static RowSample.Interval interval(String text) {
        List<String> ends = UsageException.orUsage(() -> Spelling.splitTopLevel(DOMAIN, text, ':'));
        if (ends.size() != 2) {
            throw new UsageException(DOMAIN + " must be LOW:HIGH, got '" + text + "'");
        }
        return UsageException.in(DOMAIN, () -> {
            double low = Spelling.toNumber("interval", "LOW", ends.get(0));
            double high = Spelling.toNumber("interval", "HIGH", ends.get(1));
            if (!(low < high)) {
                throw new UsageException(DOMAIN + ": LOW must be less than HIGH, got " + text);
            }
            return new RowSample.Interval(low, high);
        });
    }

    /** Reads the intervals of --domain, separated by commas. */
    static List<RowSample.Interval> intervals(String text) {
        return UsageException.orUsage(() -> Spelling.splitTopLevel(DOMAIN, text, ',')).stream()
                .map(Words::interval)
                .toList();
    }

    /** Returns the words as an alternative, such as "a, b or c". */
    static String either(List<String> words) {
        int last = words.size() - 1;
        return String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    private static Integer wholeNumber(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    text.matches("[+-]?\\d+")
                            ? "must be at " + (text.startsWith("-") ? "least -" : "most ") + "2147483647, got " + text
                            : "must be a whole number, got '" + text + "'");
        }
    }

    private static Long longNumber(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    text.matches("[+-]?\\d+")
                            ? "must lie between -2^63 and 2^63 - 1, got " + text
                            : "must be a whole number, got '" + text + "'");
        }
    }

    private static Double number(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("must be a number, got '" + text + "'");
        }
    }
}
