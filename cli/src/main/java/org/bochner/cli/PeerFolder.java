package org.bochner.cli;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.model.Peer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the peers of comparisons on the class path and in two folders of jars: {@code lib/peers} beside the jar of the
 * command, and {@code peers/target/dist} of the repository, where Maven puts them.
 */
final class PeerFolder {
    /** The note if there are no peers. */
    static final String MISSING = "note: no peers were found. To compare with LIBLINEAR, LIBSVM and XGBoost, build them"
            + " in the folder of the repository: mvn -B -DskipTests -pl peers -am package";

    private PeerFolder() {}

    /**
     * Returns the peers; their classes stay loaded until the process ends.
     *
     * @param given a folder of jars, or "none" for no peers; null for the class path and the usual folders
     */
    static List<Peer<?>> find(@Nullable String given) {
        if ("none".equals(given)) {
            return List.of();
        }
        List<Path> folders = given == null ? folders() : List.of(Path.of(given));
        if (given != null && !Files.isDirectory(folders.get(0))) {
            throw new UsageException("--peers " + given + ": is not a folder; give a folder of jars, or none");
        }
        URL[] jars = folders.stream()
                .map(PeerFolder::jars)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of())
                .toArray(URL[]::new);
        return Peer.find(new URLClassLoader(jars, PeerFolder.class.getClassLoader()));
    }

    private static List<URL> jars(Path folder) {
        List<URL> jars = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(file -> jars.add(url(file)));
            } catch (IOException e) {
                throw new BochnerException(folder + ": cannot be read: " + e.getMessage(), e);
            }
        }
        return jars;
    }

    private static List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        CodeSource source = PeerFolder.class.getProtectionDomain().getCodeSource();
        try {
            if (source != null && source.getLocation() != null) {
                folders.add(Path.of(source.getLocation().toURI())
                        .resolveSibling("lib")
                        .resolve("peers"));
            }
        } catch (URISyntaxException e) {
            // The repository's folder is left.
        }
        String home = System.getProperty("bochner.home");
        if (home != null) {
            folders.add(Path.of(home, "peers", "target", "dist"));
        }
        return folders;
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
