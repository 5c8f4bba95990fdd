/**
 * Kernel machines at linear cost: rows, scalings, kernels, feature maps, learners and models.
 *
 * <p>Packages of the first level are the public API. Packages below them are internal and not exported.
 */
module org.bochner.core {
    requires arpack.combined.all;
    requires ch.randelshofer.fastdoubleparser;
    requires com.fasterxml.jackson.core;
    requires dev.ludovic.netlib.blas;
    requires dev.ludovic.netlib.lapack;
    requires java.logging;
    requires java.management;
    requires org.apache.commons.numbers.gamma;
    requires org.bytedeco.javacpp;
    requires org.bytedeco.openblas;
    requires static com.github.luben.zstd_jni;
    requires static org.apache.commons.compress;
    requires static transitive org.jspecify;
    requires static org.tukaani.xz;

    exports org.bochner.base;
    exports org.bochner.data;
    exports org.bochner.design;
    exports org.bochner.kernel;
    exports org.bochner.learn;
    exports org.bochner.map;
    exports org.bochner.model;
    exports org.bochner.numeric;
    exports org.bochner.random;
    exports org.bochner.scale;
    exports org.bochner.tune;

    uses org.bochner.kernel.KernelFamily;
    uses org.bochner.model.Peer;
}
