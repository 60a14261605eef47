package dev.toolgate.bench.chat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * The result of many concurrent answers.
 *
 * @param events the number of events received; chunks that wait together are merged
 * @param lost characters that were not received, or after an error
 * @param ends how each answer ended
 * @param lateMillis the maximum delay of the model behind its schedule
 */
record LoadResult(
        long pieces,
        long events,
        long lost,
        List<String> ends,
        long closed,
        Percentiles delay,
        double lateMillis,
        int seconds,
        Used used) {
    private static final double MEBIBYTE = 1 << 20;

    /** The CPU time, threads and memory used during the answers. */
    record Used(Duration cpuTime, Duration ownCpuTime, int threads, long heapLimit, long maxHeap, long heapAfterGc) {}

    static LoadResult of(List<TextReader> readers, PacedModel model, Used used) {
        return new LoadResult(
                (long) readers.size() * model.pieces(),
                readers.stream().mapToLong(TextReader::events).sum(),
                readers.stream().mapToLong(TextReader::lost).sum(),
                readers.stream().map(reader -> reader.end().join()).toList(),
                readers.stream().filter(TextReader::closed).count(),
                new Percentiles(readers.stream()
                        .flatMapToLong(reader -> LongStream.of(reader.delays()))
                        .toArray()),
                model.lateMillis(),
                model.pieces() / PacedModel.PER_SECOND,
                used);
    }

    void print(String name) {
        List<String> wrong =
                ends.stream().filter(end -> !end.equals(TextReader.WHOLE)).toList();
        System.out.printf(
                Locale.ROOT,
                """
                  %s
                    pieces of text said          %,9d, %.3f events for each at the clients
                    characters lost              %,9d
                    conversations ended properly %9d of %d
                    connections closed           %9d
                    from the model to the client      p50 %.2f ms, p99 %.2f ms, longest %.1f ms; the model up to %.1f ms late
                    heap of the server                %.0f MB at the most, %.0f MB after a collection (limit: %.0f MB)
                    processors busy                   server %.2f (%.0f us for each piece), model and clients %.2f
                    threads of the server        %9d, besides virtual ones
                """,
                name,
                pieces,
                (double) events / pieces,
                lost,
                ends.size() - wrong.size(),
                ends.size(),
                closed,
                delay.millis(50),
                delay.millis(99),
                delay.millis(100),
                lateMillis,
                used.maxHeap / MEBIBYTE,
                used.heapAfterGc / MEBIBYTE,
                used.heapLimit / MEBIBYTE,
                used.cpuTime.toNanos() / 1e9 / seconds,
                used.cpuTime.toNanos() / 1e3 / pieces,
                used.ownCpuTime.toNanos() / 1e9 / seconds,
                used.threads);
        wrong.stream().limit(3).forEach(end -> System.out.println("    wrong: " + end));
    }
}
