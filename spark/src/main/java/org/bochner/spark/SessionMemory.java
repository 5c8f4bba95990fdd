package org.bochner.spark;

import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bochner.base.State;
import org.bochner.data.PartMemory;
import org.bochner.model.file.ModelFile;
import org.jspecify.annotations.Nullable;

/**
 * What a process keeps between the tasks of a session. It is broadcast empty, except for the state of the session; each process
 * fills its own copy, which goes with the broadcast.
 */
final class SessionMemory implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] state;
    private transient volatile @Nullable Object shared;
    private transient volatile @Nullable Map<Integer, Object> parts;

    SessionMemory(byte[] state) {
        this.state = state;
    }

    PartMemory part(int index) {
        return new PartMemory() {
            @Override
            @SuppressWarnings("unchecked") // a session has one kind of shared object
            public <S> S shared(Function<State, S> make) {
                return (S) sharedObject(make);
            }

            @Override
            @SuppressWarnings("unchecked") // and one kind of object per part
            public <K> K kept(Supplier<K> make) {
                return (K) parts().computeIfAbsent(index, unused -> make.get());
            }
        };
    }

    private synchronized Object sharedObject(Function<State, ?> make) {
        Object known = shared;
        if (known == null) {
            known = make.apply(ModelFile.fromBytes("session", state));
            shared = known;
        }
        return known;
    }

    private synchronized Map<Integer, Object> parts() {
        Map<Integer, Object> known = parts;
        if (known == null) {
            known = new ConcurrentHashMap<>();
            parts = known;
        }
        return known;
    }
}
