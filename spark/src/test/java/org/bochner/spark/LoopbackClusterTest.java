package org.bochner.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.Test;

class LoopbackClusterTest {
    private static final int PARTITIONS = 40;

    @Test
    void jobSurvivesALostWorker() throws IOException, InterruptedException {
        long processes = ProcessHandle.current().descendants().count();
        try (LoopbackCluster cluster = new LoopbackCluster(JavaProcess.ownClassPath(), 2)) {
            JavaProcess driver = cluster.driver(List.of(SlowSum.class.getName()));
            driver.await("tasks", Duration.ofSeconds(60), log -> log.contains("10 tasks"));
            assertTrue(!driver.output().contains("sum"));
            cluster.killWorker(0);
            String log = driver.finish(Duration.ofSeconds(60));
            assertTrue(log.contains("lost an executor"), log);
            assertTrue(log.contains("sum " + PARTITIONS * (PARTITIONS - 1) / 2 + "\n"), log);
        }
        assertEquals(processes, ProcessHandle.current().descendants().count());
    }

    /** A driver that adds one number per partition, each after a while. */
    static final class SlowSum {
        public static void main(String[] arguments) {
            try (JavaSparkContext context = new JavaSparkContext(new SparkConf())) {
                context.sc().addSparkListener(new Progress());
                List<Integer> numbers = IntStream.range(0, PARTITIONS).boxed().toList();
                int sum = context.parallelize(numbers, PARTITIONS)
                        .map(SlowSum::slowly)
                        .reduce(Integer::sum);
                System.out.println("sum " + sum);
            }
        }

        private static int slowly(int number) throws InterruptedException {
            Thread.sleep(150);
            return number;
        }
    }

    private static final class Progress extends SparkListener {
        private int tasks;

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            tasks++;
            System.out.println(tasks + " tasks");
        }

        @Override
        public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            System.out.println("lost an executor: " + removed.reason());
        }
    }
}
