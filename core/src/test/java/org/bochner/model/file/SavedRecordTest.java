package org.bochner.model.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavedRecordTest {
    @Test
    void theDayIsThatOfTheGivenTime() {
        assertEquals(LocalDate.of(2023, 11, 14), SavedRecord.day(Optional.of("1700000000")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "-1", "1700000000.5", "123456789012"})
    void rejectsTimesThatAreNoSeconds(String text) {
        BochnerException e = assertThrows(BochnerException.class, () -> SavedRecord.day(Optional.of(text)));
        assertTrue(e.problem().contains("SOURCE_DATE_EPOCH"), e.problem());
    }
}
