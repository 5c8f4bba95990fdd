package org.bochner.data.cell;

import java.util.ArrayList;
import java.util.List;

/** Writes a list of names as one text, quoted as a CSV line, and reads it back. */
public final class Names {
    private Names() {}

    public static String join(List<String> names) {
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append(text.length() == 0 ? "\"" : ",\"");
            text.append(name.replace("\"", "\"\"")).append('"');
        }
        return text.toString();
    }

    /** Returns the names; an empty list if {@link #join} did not write the text. */
    public static List<String> split(String text) {
        List<String> names = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            if (text.charAt(i) != '"') {
                return List.of();
            }
            StringBuilder name = new StringBuilder();
            i++;
            while (true) {
                int quote = text.indexOf('"', i);
                if (quote < 0) {
                    return List.of();
                }
                name.append(text, i, quote);
                i = quote + 1;
                if (i >= text.length() || text.charAt(i) != '"') {
                    break;
                }
                name.append('"');
                i++;
            }
            names.add(name.toString());
            if (i < text.length()) {
                if (text.charAt(i) != ',' || i + 1 == text.length()) {
                    return List.of();
                }
                i++;
            }
        }
        return names;
    }
}
