package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LocalSpark.class)
class LocalSparkTest {
    @Test
    void runsAQueryWithAShuffle(SparkSession spark) {
        long groups = spark.range(0, 1000, 1, 4)
                .groupBy(functions.expr("id % 7"))
                .count()
                .count();
        assertEquals(7, groups);
    }

    @Test
    void testsShareTheSession(SparkSession first, SparkSession second) {
        assertSame(first, second);
    }
}
