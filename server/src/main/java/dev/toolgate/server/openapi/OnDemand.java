package dev.toolgate.server.openapi;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something made when it is first asked for, so that it costs a start nothing, and kept from then on. */
final class OnDemand<T> {
    private final Supplier<T> make;
    private volatile @Nullable T made;

    OnDemand(Supplier<T> make) {
        this.make = make;
    }

    T get() {
        T found = made;
        return found == null ? makeOnce() : found;
    }

    private synchronized T makeOnce() {
        T found = made;
        if (found == null) {
            found = make.get();
            made = found;
        }
        return found;
    }
}
