package org.bochner.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs the main method of another class in a process that ends with the process that started it, whichever way that
 * one ends.
 */
final class Tethered {
    private Tethered() {}

    public static void main(String[] arguments) throws Throwable {
        Thread tether = new Thread(
                () -> {
                    try {
                        // The pipe's other end is in the starting process.
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // The pipe is broken: the starting process has ended.
                    }
                    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
                    Runtime.getRuntime().halt(1);
                },
                "tether");
        tether.setDaemon(true);
        tether.start();
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
