package dev.toolgate.server.openapi;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is created on first use and cached, so that it does not slow down the start. */
final class Lazy<T> {
    private final Supplier<T> make;
    private volatile @Nullable T made;

    Lazy(Supplier<T> make) {
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
