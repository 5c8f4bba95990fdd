package org.bochner.cli;

import org.bochner.model.TrainingRecord;
import picocli.CommandLine.IVersionProvider;

/** Prints the version that the build recorded, and the Java it runs on. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "bochner " + TrainingRecord.libraryVersion() + " (Java "
                    + Runtime.version().feature() + ")"
        };
    }
}
