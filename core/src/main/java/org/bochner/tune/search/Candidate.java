package org.bochner.tune.search;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bochner.base.Require;
import org.bochner.base.text.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * One configuration of a kernel machine, by its spellings.
 *
 * @param kernel the kernel; missing scales are chosen by the data. Null for the choice of the command {@code train}
 * @param map the map
 * @param features the number of features; 0 for the default of the map
 * @param scaling the scaling; null if it is chosen by the data
 * @param learner the learner
 * @param method the method of kernel learning; null if scales are not learned
 */
public record Candidate(
        @Nullable String kernel,
        String map,
        int features,
        @Nullable String scaling,
        String learner,
        @Nullable String method) {
    /** The map without features, which learns from the kernel values between all rows. */
    public static final String EXACT = "none";

    /**
     * The method that learns the ratios of the length-scales with a smooth kernel of all rows of a small sample, and then
     * chooses their common factor for the kernel and the map of the candidate.
     */
    public static final String SAMPLED_RATIOS = "gradient(sample)";

    private static final Pattern LANDMARKS = Pattern.compile("landmarks\\((\\d{1,9})\\)");

    static final String AUTO_MAP = "auto";
    static final String RIDGE = "ridge";
    static final String LINEAR_KERNEL = "linear";

    /** The machine that is trained if nothing is asked for. */
    public static final Candidate USUAL = new Candidate(null, AUTO_MAP, 0, null, RIDGE, null);

    /** Predicts the mean, or the most frequent class. */
    public static final Candidate CONSTANT = new Candidate("constant", EXACT, 0, "none", "mean", null);

    public Candidate {
        Require.notNegative("Candidate", "features", features);
    }

    static Candidate of(String kernel, String map) {
        return new Candidate(kernel, map, 0, null, RIDGE, null);
    }

    /** Returns the linear model of rows with a scaling. */
    public static Candidate linear(String scaling) {
        return of(LINEAR_KERNEL, AUTO_MAP).withScaling(scaling);
    }

    Candidate withKernel(@Nullable String other) {
        return new Candidate(other, map, features, scaling, learner, method);
    }

    Candidate withMap(String other, int count) {
        return new Candidate(kernel, other, count, scaling, learner, method);
    }

    /** Returns the candidate with another scaling. */
    public Candidate withScaling(@Nullable String other) {
        return new Candidate(kernel, map, features, other, learner, method);
    }

    Candidate withLearner(String other) {
        return new Candidate(kernel, map, features, scaling, other, method);
    }

    Candidate withMethod(@Nullable String other) {
        return new Candidate(kernel, map, features, scaling, learner, other);
    }

    boolean isExact() {
        return map.equals(EXACT);
    }

    /** Returns the number of landmarks; 0 if the map has none, or does not say. */
    int landmarks() {
        Matcher matcher = LANDMARKS.matcher(map);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** Returns the name of the map. */
    String mapName() {
        int parameters = map.indexOf('(');
        return parameters < 0 ? map : map.substring(0, parameters);
    }

    /** Returns a name of the kinds of work that a test takes, for predictions of times. */
    String work() {
        return (method == null ? "" : method + " ")
                + (landmarks() > 0 ? map : mapName())
                + (learner.equals(RIDGE) ? "" : " " + learner);
    }

    /** Returns the fields for JSON. Choices that are left to the data are missing. */
    public Map<String, Object> toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "kernel", kernel);
        fields.put("map", map);
        put(fields, "features", features == 0 ? null : features);
        put(fields, "scaling", scaling);
        fields.put("learner", learner);
        put(fields, "method", method);
        return fields;
    }

    private static void put(Map<String, Object> fields, String key, @Nullable Object value) {
        if (value != null) {
            fields.put(key, value);
        }
    }

    static Candidate of(JsonObject fields) {
        return new Candidate(
                text(fields, "kernel"),
                Objects.requireNonNull(fields.text("map")),
                fields.has("features") ? fields.count("features") : 0,
                text(fields, "scaling"),
                fields.text("learner"),
                text(fields, "method"));
    }

    private static @Nullable String text(JsonObject fields, String key) {
        return fields.has(key) ? fields.text(key) : null;
    }
}
