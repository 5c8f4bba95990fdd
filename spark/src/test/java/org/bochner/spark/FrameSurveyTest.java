package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class FrameSurveyTest {
    private static final List<FrameCell> TEXT =
            List.of(FrameCell.of(DataTypes.createStructField("id", DataTypes.StringType, true), 0));

    private static FrameSurvey survey(int from, int to) {
        return FrameSurvey.of(
                TEXT,
                FrameLabel.NONE,
                -1,
                IntStream.range(from, to)
                        .<Row>mapToObj(i -> RowFactory.create("id" + i))
                        .iterator());
    }

    @Test
    void refusesTooManyCategoriesOfSeveralPartitionsTogether() {
        int most = FrameSurvey.MOST_NAMES;
        assertNull(survey(0, most).merge(TEXT, survey(0, most)).failure());
        assertEquals(
                "column 'id' has more than 10000 different texts; is it an id? Leave it out, or hash it",
                survey(0, most).merge(TEXT, survey(most, most + 1)).failure());
    }
}
