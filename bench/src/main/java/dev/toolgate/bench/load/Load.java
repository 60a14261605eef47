package dev.toolgate.bench.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A load generator with many connections, each with one outstanding request. Uses one thread, because it shares the
 * machine with the server.
 */
final class Load {
    private static final int MAX_RESPONSES = 1_000_000;

    private Load() {}

    /** The result: responses per second, and the sorted response times. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Result(double rate, long[] nanos) {
        double millis(double percent) {
            return nanos[(int) Math.min(nanos.length - 1L, Math.round(nanos.length * percent / 100))] / 1e6;
        }
    }

    /** Sends requests for this duration and waits for the last responses. */
    static Result run(int port, Supplier<RequestSequence> requests, int connections, Duration duration)
            throws IOException {
        long[] nanos = new long[MAX_RESPONSES];
        int answers = 0;
        List<Connection> open = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < connections; i++) {
                open.add(new Connection(port, requests.get(), selector));
            }
            long start = System.nanoTime();
            for (Connection connection : open) {
                connection.send();
            }
            int waiting = connections;
            while (waiting > 0) {
                selector.select();
                boolean isWithinDuration = System.nanoTime() - start < duration.toNanos();
                for (SelectionKey key : selector.selectedKeys()) {
                    Connection connection = (Connection) key.attachment();
                    long took = connection.receive();
                    if (took >= 0) {
                        nanos[answers++] = took;
                        if (isWithinDuration) {
                            connection.send();
                        } else {
                            waiting--;
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            long[] sorted = Arrays.copyOf(nanos, answers);
            Arrays.sort(sorted);
            return new Result(answers / seconds, sorted);
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }
}
