package dev.toolgate.server.wiring;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A part of the server that is opened on its own thread, concurrently with others; closing it closes what it opened.
 */
final class AsyncResource<T> implements AutoCloseable {
    private final Resources resources = new Resources();
    private final FutureTask<T> opening;

    /** Opens a part. */
    interface Opener<T> {
        /**
         * @param resources registers what must be closed, in the order of this part only
         */
        T open(Resources resources) throws IOException;
    }

    private AsyncResource(Opener<T> opener) {
        this.opening = new FutureTask<>(() -> opener.open(resources));
    }

    static <T> AsyncResource<T> begin(String name, Opener<T> opener) {
        AsyncResource<T> started = new AsyncResource<>(opener);
        Thread.ofPlatform().daemon().name(name).start(started.opening);
        return started;
    }

    /** Waits for the part; rethrows the failure of opening it. */
    T get() throws IOException {
        try {
            return opening.get();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case IOException unusable -> throw unusable;
                case RuntimeException wrong -> throw wrong;
                case null, default -> throw new IllegalStateException(failed.getCause());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("The start was interrupted.", stopped);
        }
    }

    /** Waits until the part is opened, and closes what it opened. */
    @Override
    public void close() {
        try {
            get();
        } catch (IOException | RuntimeException failed) {
            // Reported to the caller of get(); here it only matters that opening has ended.
        }
        resources.close();
    }
}
