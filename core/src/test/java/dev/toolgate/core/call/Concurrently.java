package dev.toolgate.core.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs work concurrently. */
public final class Concurrently {
    private Concurrently() {}

    /** The work of one worker. */
    @FunctionalInterface
    public interface Work<T> {
        T run(int worker) throws Exception;
    }

    /** Runs the work on this many threads and waits for all; throws the first failure. */
    public static <T> List<T> run(int workers, Work<T> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int worker = i;
                running.add(threads.submit(() -> work.run(worker)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        }
    }
}
