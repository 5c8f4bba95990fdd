package org.bochner.data.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a list of names as one text, quoted as a CSV line, and reads it back. */
public final class Names {
    /** A name in quotes, and the comma that must follow every name but the last. */
    private static final Pattern NAME = Pattern.compile("\\G\"((?:[^\"]++|\"\")*+)\"(?:,(?=\")|\\z)");

    private Names() {}

    public static String join(Stream<String> names) {
        return names.map(name -> '"' + name.replace("\"", "\"\"") + '"').collect(Collectors.joining(","));
    }

    /** Returns the names; an empty list if {@link #join} did not write the text. */
    public static List<String> split(String text) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(text);
        int end = 0;
        while (end < text.length() && name.find()) {
            names.add(name.group(1).replace("\"\"", "\""));
            end = name.end();
        }
        return end < text.length() ? List.of() : names;
    }
}
