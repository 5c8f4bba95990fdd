package org.bochner.tune.channels;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.ConcatenatedMap;

/** Where the features of each channel stand among those of all: side by side, in the order of the channels. */
public final class ChannelFeatures {
    private final List<FeatureMap> parts;
    private final int[] starts;

    /** The channels of a map, each of which is one of its parts. */
    public ChannelFeatures(FeatureMap map) {
        parts = map instanceof ConcatenatedMap several ? several.parts() : List.of(map);
        starts = new int[parts.size() + 1];
        for (int c = 0; c < parts.size(); c++) {
            starts[c + 1] = starts[c] + parts.get(c).outputDimension();
        }
        if (!map.hasPlainPenalty()) {
            throw new BochnerException("weights of channels need features whose penalty is the plain one; use the map"
                    + " without 'sparse'");
        }
    }

    public int count() {
        return parts.size();
    }

    public int features() {
        return starts[parts.size()];
    }

    public int start(int channel) {
        return starts[channel];
    }

    /** After the last feature of a channel. */
    public int end(int channel) {
        return starts[channel + 1];
    }

    public int size(int channel) {
        return end(channel) - start(channel);
    }

    public FeatureMap part(int channel) {
        return parts.get(channel);
    }
}
