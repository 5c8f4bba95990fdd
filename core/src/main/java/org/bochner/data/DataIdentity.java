package org.bochner.data;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.text.JsonFields;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the rows that a model was trained on.
 *
 * @param files the files, in the order in which they were joined; empty for rows in memory
 * @param groupColumn the column of the row groups; null if there are none
 * @param selections the choices of rows that were made after reading, by name, with a description for people; such as
 *     {@code holdout} and {@code all but the rows held out}
 */
public record DataIdentity(List<File> files, @Nullable String groupColumn, Map<String, String> selections) {
    /**
     * A data file, described well enough to be recognised later.
     *
     * @param file the name without its folder
     * @param bytes the size on disk, compressed if the file is
     * @param sha256 the SHA-256 of the bytes on disk
     */
    public record File(String file, long bytes, long rows, String sha256) {
        private Map<String, Object> toJson() {
            return JsonFields.of("file", file, "bytes", bytes, "rows", rows, "sha256", sha256);
        }
    }

    /** The identity of rows of unknown origin. */
    public static final DataIdentity UNKNOWN = new DataIdentity(List.of(), null, Map.of());

    public DataIdentity {
        files = List.copyOf(files);
        selections = Collections.unmodifiableMap(new LinkedHashMap<>(selections));
    }

    /** Returns this identity with a selection added. */
    DataIdentity with(String name, String description) {
        Map<String, String> more = new LinkedHashMap<>(selections);
        more.merge(name, description, (before, next) -> before + "; of these, " + next);
        return new DataIdentity(files, groupColumn, more);
    }

    /** Returns the fields for JSON: lists, maps, texts and numbers. */
    public Map<String, Object> toJson() {
        return JsonFields.of(
                "files",
                files.stream().map(File::toJson).toList(),
                "groupColumn",
                groupColumn,
                "selections",
                selections.isEmpty() ? null : selections);
    }
}
