package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.model.file.ModelFile;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelPrecisionTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    @Test
    void thatIsUnknownIsRefusedWithTheNamesOfThoseThereAre() throws IOException {
        Path data = Files.writeString(folder.resolve("rows.csv"), "0,1,a\n1,0,b\n0,2,a\n2,1,b\n");
        KernelModel model = KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(4)
                .fit(FileSource.open(DataOptions.of(data.toString())), new Workers(1), Progress.NONE)
                .model();
        Path file = folder.resolve("m.bochner");
        for (String precision : new String[] {"half", "FLOAT32", ""}) {
            ModelFile.write(file, ModelFixtures.state(model).with("precision", precision));
            BochnerException e = assertThrows(BochnerException.class, () -> KernelModel.load(file));
            String message = String.valueOf(e.getMessage());
            assertTrue(
                    message.contains("precision must be one of float32, float64, the file has '" + precision + "'"),
                    message);
        }
        ModelFile.write(file, ModelFixtures.state(model).with("precision", "float64"));
        assertEquals(Precision.FLOAT64, KernelModel.load(file).precision());
    }
}
