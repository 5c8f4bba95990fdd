package org.bochner.tune.channels;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.map.layout.FeatureGroups;

/**
 * The places of each channel's features among those of all channels, which stand side by side in the order of the
 * channels.
 */
public final class ChannelFeatures {
    private final List<FeatureMap> parts;
    private final int[] starts;

    /** Creates the places for a map; each of its parts is a channel. */
    public ChannelFeatures(FeatureMap map) {
        parts = map instanceof ConcatenatedMap several ? several.parts() : List.of(map);
        starts = FeatureGroups.starts(parts);
        if (!map.hasPlainPenalty()) {
            throw new BochnerException(
                    "multiple kernel learning needs features whose penalty is the plain one; use landmarks(whitened), or"
                            + " piecewise without 'sparse'");
        }
    }

    private ChannelFeatures(List<FeatureMap> parts, int... starts) {
        this.parts = parts;
        this.starts = starts;
    }

    /**
     * Returns the places for kernels without features. Each channel has as many coefficients as there are rows.
     *
     * @param columns the columns of the rows
     */
    public static ChannelFeatures ofKernels(List<Kernel> kernels, int columns, int rows) {
        int[] starts = new int[kernels.size() + 1];
        Arrays.setAll(starts, c -> Math.multiplyExact(c, rows));
        List<FeatureMap> parts = kernels.stream()
                .<FeatureMap>map(kernel -> new UnmappedKernel(kernel, columns))
                .toList();
        return new ChannelFeatures(parts, starts);
    }

    public int count() {
        return parts.size();
    }

    /** Returns the number of features of all channels. */
    public int features() {
        return starts[parts.size()];
    }

    public int start(int channel) {
        return starts[channel];
    }

    /** Returns the end of a channel's features, exclusive. */
    public int end(int channel) {
        return starts[channel + 1];
    }

    public int size(int channel) {
        return end(channel) - start(channel);
    }

    public FeatureMap part(int channel) {
        return parts.get(channel);
    }

    /** Returns the norm of each channel's rows of a D×outputs matrix. */
    double[] norms(double[] weights, int outputs) {
        return IntStream.range(0, count())
                .mapToDouble(c -> Math.sqrt(dot(c, outputs, weights, weights)))
                .toArray();
    }

    /** Returns the inner product of a channel's rows of two D×outputs matrices. */
    double dot(int channel, int outputs, double[] a, double[] b) {
        double sum = 0;
        for (int i = starts[channel] * outputs; i < starts[channel + 1] * outputs; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
