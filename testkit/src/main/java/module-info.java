/** Contract tests for kernels, feature maps, accumulators and sources of rows, of this library or your own. */
module org.bochner.testkit {
    requires transitive org.bochner.core;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports org.bochner.testkit;
}
