package org.bochner.testkit;

import static org.bochner.testkit.Properties.forAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.random.RandomStream;
import org.junit.jupiter.api.Test;

class MapSpellingPropertyTest {
    @Test
    void anyRecipePrintsAndParsesBack() {
        forAll(2000, 1, MapSpellingPropertyTest::recipe, text -> {
            MapRecipe recipe = FeatureMaps.parse(text);
            assertEquals(text, recipe.toString());
            assertEquals(recipe, FeatureMaps.parse(recipe.toString()));
            assertEquals(recipe.hashCode(), FeatureMaps.parse(text).hashCode());
        });
    }

    @Test
    void spacesDoNotMatter() {
        forAll(500, 2, MapSpellingPropertyTest::recipe, text -> {
            String spaced = text.replace("(", " ( ")
                    .replace(")", " ) ")
                    .replace("=", " = ")
                    .replace("@", " @ ")
                    .replace(",", " ,  ");
            assertEquals(FeatureMaps.parse(text), FeatureMaps.parse(spaced));
        });
    }

    /** Damaged spellings are read or refused; nothing else may happen to them. */
    @Test
    void anyDamagedSpellingIsReadOrExplained() {
        forAll(5000, 3, MapSpellingPropertyTest::damaged, text -> {
            try {
                assertNotNull(FeatureMaps.parse(text));
            } catch (SpellingException e) {
                if (String.valueOf(e.getMessage()).isBlank()) {
                    fail("no explanation");
                }
            }
        });
    }

    private static String damaged(RandomStream stream) {
        StringBuilder text = new StringBuilder(recipe(stream));
        for (int i = 0; i <= stream.nextInt(3) && text.length() > 0; i++) {
            int place = stream.nextInt(text.length());
            switch (stream.nextInt(3)) {
                case 0 -> text.deleteCharAt(place);
                case 1 -> text.insert(place, "()+-*@=,. e9Zé\u0000".charAt(stream.nextInt(15)));
                default -> text.setLength(Math.max(1, place));
            }
        }
        return text.toString();
    }

    private static String recipe(RandomStream stream) {
        int count = 1 + stream.nextInt(3);
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            terms.add(term(stream));
        }
        return String.join(" + ", terms);
    }

    private static String term(RandomStream stream) {
        return switch (stream.nextInt(3)) {
            case 0 -> fourier(stream);
            case 1 -> additive(stream);
            default -> fourier(stream) + "@" + additive(stream);
        };
    }

    private static String fourier(RandomStream stream) {
        List<String> names = FeatureMaps.fourierNames();
        List<String> parameters = new ArrayList<>();
        if (stream.nextInt(2) == 0) {
            parameters.add("phase");
        }
        if (stream.nextInt(2) == 0) {
            parameters.add("features=" + 2 * (1 + stream.nextInt(5000)));
        }
        return spell(names.get(stream.nextInt(names.size())), parameters);
    }

    private static String additive(RandomStream stream) {
        List<String> parameters = new ArrayList<>();
        switch (stream.nextInt(5)) {
            case 0 -> {
                return stream.nextInt(2) == 0 ? "exact" : "auto";
            }
            case 3 -> {
                return designed(stream);
            }
            case 1 -> {
                return "auto(error=" + positive(stream) + ")";
            }
            case 2 -> {
                parameters.add("order=" + (1 + stream.nextInt(50)));
                if (stream.nextInt(2) == 0) {
                    parameters.add("window=" + (stream.nextInt(2) == 0 ? "uniform" : "rectangular"));
                }
                if (stream.nextInt(2) == 0) {
                    parameters.add("period=" + (stream.nextInt(3) == 0 ? "vlfeat" : positive(stream)));
                }
                return spell("sampled", parameters);
            }
            default -> {
                parameters.add("terms=" + (1 + stream.nextInt(100)));
                if (stream.nextInt(2) == 0) {
                    parameters.add("scale=" + positive(stream));
                }
                return spell(stream.nextInt(2) == 0 ? "chebyshev" : "direct", parameters);
            }
        }
    }

    private static String designed(RandomStream stream) {
        List<String> parameters = new ArrayList<>();
        switch (stream.nextInt(3)) {
            case 0 -> parameters.add("dimension=" + (1 + stream.nextInt(100)));
            case 1 -> parameters.add("error=" + Spelling.print(1e-9 + stream.nextUniform()));
            default -> {}
        }
        boolean universal = stream.nextInt(3) == 0;
        if (universal) {
            parameters.add("universal");
        } else if (stream.nextInt(2) == 0) {
            double low = stream.nextGaussian();
            parameters.add("range=" + Spelling.print(low) + ":" + Spelling.print(low + 1 + stream.nextUniform()));
        }
        if (!universal && stream.nextInt(2) == 0) {
            parameters.add("weight=relative");
        }
        if (stream.nextInt(2) == 0) {
            parameters.add("norm=mean");
        }
        if (stream.nextInt(2) == 0) {
            parameters.add("form=" + (stream.nextInt(2) == 0 ? "projection" : "modulation"));
        }
        return spell("lp", parameters);
    }

    private static String spell(String name, List<String> parameters) {
        return parameters.isEmpty() ? name : name + "(" + String.join(", ", parameters) + ")";
    }

    /** Of any size, from whole numbers to those that print with an exponent; no default of anything. */
    private static String positive(RandomStream stream) {
        return Spelling.print(
                switch (stream.nextInt(3)) {
                    case 0 -> 2 + stream.nextInt(100);
                    case 1 -> stream.nextUniform();
                    default -> Math.exp(100 * stream.nextGaussian());
                });
    }
}
