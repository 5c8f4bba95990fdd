package org.bochner.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Checks symbolic links. */
public final class Links {
    private Links() {}

    /**
     * Fails if the path is a symbolic link that leads to no file: its target does not exist, or the link leads back to
     * itself. Without this check, reading would say only that there is no such file, and writing would replace the link.
     *
     * @throws DataException if the path is such a link
     */
    public static void requireTarget(Path path) {
        if (!Files.isSymbolicLink(path) || Files.exists(path)) {
            return;
        }
        Set<Path> seen = new HashSet<>();
        Path at = path.toAbsolutePath();
        try {
            while (Files.isSymbolicLink(at)) {
                if (!seen.add(at)) {
                    throw DataException.in(path.toString(), "is a symbolic link that leads back to itself");
                }
                at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
            }
        } catch (IOException e) {
            throw DataException.in(path.toString(), "is a symbolic link that cannot be followed", e);
        }
        throw DataException.in(path.toString(), "is a symbolic link to " + at + ", which does not exist");
    }
}
