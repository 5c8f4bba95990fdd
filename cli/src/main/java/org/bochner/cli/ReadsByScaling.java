package org.bochner.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks an option whose value is a scaling, which may name files to read. {@link FileRoles} protects these files. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface ReadsByScaling {}
