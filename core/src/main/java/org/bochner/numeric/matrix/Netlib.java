package org.bochner.numeric.matrix;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/**
 * This library's own copy of netlib's classes, from the class path of the process.
 *
 * <p>netlib looks for its native library once per process, on first use. If other code of the process was first, for
 * example Spark's MLlib, netlib holds the system's library, with its own number of threads, or none. The copy finds the
 * library that {@link OpenBlas} names, and the other code keeps its own. Only the two interfaces that {@link Blas}
 * calls are shared.
 */
final class Netlib extends ClassLoader {
    private static final String BLAS_PACKAGE = BLAS.class.getPackageName() + ".";
    private static final String LAPACK_PACKAGE = LAPACK.class.getPackageName() + ".";
    private static final String BLAS_LIBRARY = BLAS_PACKAGE + "nativeLibPath";
    private static final String LAPACK_LIBRARY = LAPACK_PACKAGE + "nativeLibPath";
    private static final Netlib COPY = new Netlib();

    private Netlib() {
        super(Netlib.class.getClassLoader());
    }

    /** Returns netlib's calls of a native library. Only the first call of this method chooses the library. */
    static Blas of(String name, String library) {
        return with(BLAS_LIBRARY, library, () -> with(LAPACK_LIBRARY, library, () -> implementation(name, "Native")));
    }

    /** Returns netlib's routines in Java. */
    static Blas java(String name) {
        return implementation(name, "Java");
    }

    private static Blas implementation(String name, String kind) {
        BLAS blas = (BLAS) instance(BLAS_PACKAGE + kind + "BLAS");
        return new Blas(name, blas, (LAPACK) instance(LAPACK_PACKAGE + kind + "LAPACK"));
    }

    private static Object instance(String type) {
        try {
            return COPY.loadClass(type).getMethod("getInstance").invoke(null);
        } catch (ReflectiveOperationException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(type + ": " + reason.getMessage(), reason);
        }
    }

    /** Runs an action with a system property, then gives the property back its value: other code may have set it. */
    private static <T> T with(String property, String value, Supplier<T> action) {
        String before = System.setProperty(property, value);
        try {
            return action.get();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean copied = (name.startsWith(BLAS_PACKAGE) || name.startsWith(LAPACK_PACKAGE))
                && !name.equals(BLAS.class.getName())
                && !name.equals(LAPACK.class.getName());
        if (!copied) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
