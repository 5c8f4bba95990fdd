package org.bochner.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.bochner.base.Spelling;
import org.bochner.design.Design;
import org.jspecify.annotations.Nullable;

/** The folder in which the command stores designs for later runs. */
final class DesignFolder {
    /** The environment variable with the folder, or {@link #OFF}. */
    static final String VARIABLE = "BOCHNER_DESIGNS";

    static final String OFF = "off";

    private final List<String> waiting = new ArrayList<>();
    private @Nullable Consumer<String> listener;
    private Runnable end = () -> {};

    private DesignFolder() {}

    /** Returns no folder: designs stay in memory. */
    static DesignFolder none() {
        return new DesignFolder();
    }

    /**
     * Returns the folder: that of {@code BOCHNER_DESIGNS}, otherwise {@code bochner/designs} in the user's folder of
     * caches. Empty if designs are not stored.
     *
     * @param environment the environment variables
     * @param home the user's home folder; null if there is none
     * @throws InvalidPathException if a variable is not a path
     */
    static Optional<Path> of(Map<String, String> environment, @Nullable String home) {
        String given = environment.getOrDefault(VARIABLE, "");
        if (!given.isEmpty()) {
            return given.equalsIgnoreCase(OFF) ? Optional.empty() : Optional.of(Path.of(given));
        }
        // Relative paths in these variables are to be ignored, says the XDG base directory specification.
        return Optional.ofNullable(environment.get("XDG_CACHE_HOME"))
                .or(() -> Optional.ofNullable(environment.get("LOCALAPPDATA")))
                .map(Path::of)
                .filter(Path::isAbsolute)
                .or(() -> Optional.ofNullable(home)
                        .map(Path::of)
                        .filter(Path::isAbsolute)
                        .map(folder -> folder.resolve(".cache")))
                .map(folder -> folder.resolve("bochner").resolve("designs"));
    }

    /** Makes the library store designs in the folder of the environment. */
    static DesignFolder use(Map<String, String> environment, @Nullable String home) {
        DesignFolder folder = new DesignFolder();
        try {
            of(environment, home).ifPresent(path -> folder.end = Design.keepIn(path, folder::note));
        } catch (InvalidPathException e) {
            folder.note("designs are not stored: '" + Spelling.line(e.getInput()) + "' is not a path");
        }
        return folder;
    }

    private synchronized void note(String problem) {
        String line = "note: " + problem + ". Set " + VARIABLE + " to another folder, or to " + OFF + ".";
        if (listener == null) {
            waiting.add(line);
        } else {
            listener.accept(line);
        }
    }

    /** Gives the notes about the folder, those so far and later ones, to a printer. */
    synchronized void tell(Consumer<String> printer) {
        listener = printer;
        waiting.forEach(printer);
        waiting.clear();
    }

    /** Ends the storing. */
    void end() {
        end.run();
    }
}
