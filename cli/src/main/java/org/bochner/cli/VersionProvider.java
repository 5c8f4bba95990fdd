package org.bochner.cli;

import org.bochner.model.TrainingRecord;
import picocli.CommandLine.IVersionProvider;

/** Prints the version of the build and of Java. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "bochner " + TrainingRecord.libraryVersion() + " (Java "
                    + Runtime.version().feature() + ")"
        };
    }
}
