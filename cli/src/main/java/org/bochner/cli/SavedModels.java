package org.bochner.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.data.DataIdentity;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/** Checks saved models that become parts of another model. */
final class SavedModels {
    private SavedModels() {}

    /**
     * Returns a note for each model that was trained on a file. The file is read only if a model had one of its size.
     *
     * @param files the files of the models
     * @param chosen what is fitted to the file, such as {@code thresholds}
     * @param member what the models become, such as {@code stage}
     */
    static List<Note> trainedOn(
            @Nullable String data, List<Path> files, List<KernelModel> loaded, String chosen, String member) {
        List<Note> notes = new ArrayList<>();
        if (data == null || !Files.isRegularFile(Path.of(data))) {
            return notes;
        }
        Path path = Path.of(data);
        String hash = null;
        try {
            long bytes = Files.size(path);
            for (int i = 0; i < loaded.size(); i++) {
                for (DataIdentity.File file : loaded.get(i).training().data().files()) {
                    if (file.bytes() != bytes) {
                        continue;
                    }
                    hash = hash == null ? sha256(path) : hash;
                    if (file.sha256().equals(hash)) {
                        notes.add(new Note(
                                Note.Kind.DATA,
                                files.get(i) + " was trained on rows of " + data + ": the " + chosen
                                        + " are optimistic",
                                Remedy.advice("take rows that no " + member + " was trained on")));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return notes;
    }

    private static String sha256(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
