package dev.toolgate.core.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several at the same time. */
public final class AtOnce {
    private AtOnce() {}

    /** What each of them does. */
    @FunctionalInterface
    public interface Work<T> {
        T by(int worker) throws Exception;
    }

    /** Lets this many do it, and waits for all; the first failure is thrown. */
    public static <T> List<T> by(int workers, Work<T> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int worker = i;
                running.add(threads.submit(() -> work.by(worker)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        }
    }
}
