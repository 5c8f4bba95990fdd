package org.bochner.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * A learning method of another library, for comparisons with kernel machines.
 *
 * <p>Peers are found by {@link ServiceLoader}: implement this interface in a public class with a public constructor
 * without arguments, and name that class in {@code META-INF/services/org.bochner.model.Peer}.
 *
 * <p>Threads: a peer is used by one thread at a time. It may start threads of its own during {@link #fit}.
 *
 * @param <M> the fitted model
 */
public interface Peer<M> {
    /** Returns the name in tables, with the library and the method, such as {@code xgboost}. */
    String name();

    /** Returns the reason why this peer cannot learn such labels, as a sentence without its full stop; empty if it can. */
    default Optional<String> refuses(Labels labels) {
        return Optional.empty();
    }

    /** Returns the largest number of rows that the peer is trained on; a comparison draws a sample of larger data. */
    default long mostRows() {
        return Long.MAX_VALUE;
    }

    /**
     * Fits a model. Classes are given as indices of the names in {@link RowSource#labels}. Row weights may be ignored.
     *
     * @param rows the training rows, dense or sparse, held in memory
     * @param seed the seed of everything random
     * @param workers the number of threads
     * @throws BochnerException if the library fails
     */
    M fit(RowSource rows, Seed seed, Workers workers);

    /**
     * Predicts a block of rows on one thread.
     *
     * @param predictions receives, row by row, the index of the predicted class, or the predicted numbers
     */
    void predict(M model, RowBlock rows, double[] predictions);

    /** Returns the size of a model in bytes, as its library would save it. */
    long bytes(M model);

    /**
     * Finds all peers, in the order of their names.
     *
     * @param loader the class loader that knows them
     * @throws BochnerException if the class of a peer is missing or broken
     */
    static List<Peer<?>> find(ClassLoader loader) {
        List<Peer<?>> peers = new ArrayList<>();
        try {
            ServiceLoader.load(Peer.class, loader).forEach(peers::add);
        } catch (ServiceConfigurationError e) {
            throw new BochnerException("a peer cannot be loaded: " + e.getMessage(), e);
        }
        peers.sort(Comparator.comparing(Peer::name));
        return peers;
    }
}
