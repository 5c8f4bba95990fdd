package org.bochner.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an option that names a file to write. {@link FileRoles} refuses a file that cannot be written, or that has another
 * role in the same run.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface Writes {
    /** True for a file that is written as a picture, whose name must end in .svg or .png. */
    boolean picture() default false;
}
