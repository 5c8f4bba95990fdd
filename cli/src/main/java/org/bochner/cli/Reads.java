package org.bochner.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks an option or argument that names a file to read, as FILE or NAME=FILE. {@link FileRoles} protects that file. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface Reads {
    /**
     * The option that may name the same file, to update it in place; none by default. The command must read the whole
     * file before it writes.
     */
    String updatedBy() default "";
}
