package dev.toolgate.bench.chat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * What came of many answers at a time.
 *
 * @param events in how many the pieces arrived, since those that wait together are joined
 * @param lost characters that never came, or came after something wrong
 * @param ends how each answer ended
 * @param lateMillis how far the model fell behind its pace at the worst
 */
record LoadResult(
        long pieces,
        long events,
        long lost,
        List<String> ends,
        long closed,
        Spread delay,
        double lateMillis,
        int seconds,
        Used used) {
    private static final double MEBIBYTE = 1 << 20;

    /** Of processors, threads and memory while the model spoke. */
    record Used(Duration worked, Duration ownWorked, int threads, long heapLimit, long heapAtMost, long heapNeeded) {}

    static LoadResult of(List<TextReader> readers, PacedModel model, Used used) {
        return new LoadResult(
                (long) readers.size() * model.pieces(),
                readers.stream().mapToLong(TextReader::events).sum(),
                readers.stream().mapToLong(TextReader::lost).sum(),
                readers.stream().map(reader -> reader.end().join()).toList(),
                readers.stream().filter(TextReader::closed).count(),
                new Spread(readers.stream()
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
                used.heapAtMost / MEBIBYTE,
                used.heapNeeded / MEBIBYTE,
                used.heapLimit / MEBIBYTE,
                used.worked.toNanos() / 1e9 / seconds,
                used.worked.toNanos() / 1e3 / pieces,
                used.ownWorked.toNanos() / 1e9 / seconds,
                used.threads);
        wrong.stream().limit(3).forEach(end -> System.out.println("    wrong: " + end));
    }
}
