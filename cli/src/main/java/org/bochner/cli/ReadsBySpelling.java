package org.bochner.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.util.List;
import org.bochner.scale.Scalings;

/** Marks an option whose value is a spelling that may name files to read. {@link FileRoles} protects these files. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface ReadsBySpelling {
    /** Returns what is spelled. */
    Spelled value();

    /** What a spelling describes. */
    enum Spelled {
        SCALING,
        CASCADE;

        /** Returns the files that a spelling names; empty if it is wrong. */
        List<Path> files(String spelling) {
            return this == SCALING ? Scalings.files(spelling) : CascadeFlags.files(spelling);
        }
    }
}
