package org.bochner.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bochner.design.Design;
import org.jspecify.annotations.Nullable;

/** The folder in which the command keeps designs for later runs. */
final class DesignFolder {
    /** The environment variable with the folder, or {@link #OFF}. */
    static final String VARIABLE = "BOCHNER_DESIGNS";

    static final String OFF = "off";

    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());

    /**
     * Returns the folder: that of {@code BOCHNER_DESIGNS}, otherwise {@code bochner/designs} in the user's folder of
     * caches. Empty if designs are not kept.
     *
     * @param environment the environment variables
     * @param home the user's home folder; null if there is none
     */
    static Optional<Path> of(Map<String, String> environment, @Nullable String home) {
        String given = environment.getOrDefault(VARIABLE, "");
        try {
            if (!given.isEmpty()) {
                return given.equals(OFF) ? Optional.empty() : Optional.of(Path.of(given));
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
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Makes the library keep designs in the folder of the environment. */
    static DesignFolder use(Map<String, String> environment, @Nullable String home) {
        DesignFolder folder = new DesignFolder();
        of(environment, home).ifPresent(path -> Design.keepIn(path, folder.problems::add));
        return folder;
    }

    /** Returns the problems with the folder, as notes. */
    List<String> notes() {
        synchronized (problems) {
            return problems.stream()
                    .map(problem -> "note: " + problem + "; " + VARIABLE + " sets another folder, or " + OFF)
                    .toList();
        }
    }
}
