package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.http.events.StreamStarter;
import dev.toolgate.mcp.server.http.StreamSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream whose client cannot be checked for a while, because the database is unavailable. */
@Timeout(60)
class McpOutputTest {
    private static final String COMMENT = ":\n\n";

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private volatile OutputStream client = sent;
    private final AtomicInteger checks = new AtomicInteger();
    private final AtomicInteger disconnects = new AtomicInteger();
    private volatile State state = State.UNKNOWN;

    /** The result of the check. */
    private enum State {
        ADMITTED,
        REVOKED,
        UNKNOWN
    }

    private final class Starter implements StreamStarter {
        @Override
        public OutputStream start(String mediaType, Map<String, String> headers) {
            return client;
        }

        @Override
        public void onStop(Runnable listener) {
            throw new AssertionError("onStop is not expected");
        }
    }

    private boolean isAdmitted() {
        checks.incrementAndGet();
        return switch (state) {
            case ADMITTED -> true;
            case REVOKED -> false;
            case UNKNOWN -> throw new Unavailable("The keys could not be checked in time.", null);
        };
    }

    private StreamSink sink(Duration maxUnknown) throws IOException {
        return sink(new McpOutput.Checks(Duration.ZERO, maxUnknown, Duration.ofHours(1)));
    }

    private StreamSink sink(McpOutput.Checks checked) throws IOException {
        McpOutput output = new McpOutput(new Starter(), this::isAdmitted, checked);
        output.onDisconnect(disconnects::incrementAndGet);
        return Objects.requireNonNull(output.open(Map.of("Content-Type", "text/event-stream")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_message_waits_until_its_client_is_checked() throws Exception {
        StreamSink sink = sink(Duration.ofHours(1));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = threads.submit(() -> {
                sink.write(bytes("private"));
                return null;
            });
            await().until(() -> checks.get() >= 2);
            assertThat(sent.toString(StandardCharsets.UTF_8)).isEmpty();

            state = State.ADMITTED;

            writing.get();
            assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo("private");
            assertThat(disconnects).hasValue(0);
        }
    }

    @Test
    void comments_keep_a_stream_whose_client_cannot_be_checked() throws Exception {
        StreamSink sink = sink(Duration.ofHours(1));

        sink.write(bytes(COMMENT));
        sink.write(bytes(COMMENT));

        assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo(COMMENT + COMMENT);
        assertThat(disconnects).hasValue(0);
    }

    @Test
    void nothing_is_sent_to_a_client_that_turns_out_to_be_revoked() throws Exception {
        StreamSink sink = sink(Duration.ofHours(1));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = threads.submit(() -> {
                sink.write(bytes("private"));
                return null;
            });
            await().until(() -> checks.get() >= 2);

            state = State.REVOKED;

            assertThatThrownBy(writing::get).hasCauseInstanceOf(IOException.class);
            assertThat(sent.toString(StandardCharsets.UTF_8)).isEmpty();
            assertThat(disconnects).hasValue(1);
        }
    }

    @Test
    void a_stream_ends_if_its_client_cannot_be_checked_for_long() throws Exception {
        StreamSink sink = sink(Duration.ofMillis(1));

        assertThatThrownBy(() -> sink.write(bytes("private"))).isInstanceOf(IOException.class);

        assertThat(sent.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(disconnects).hasValue(1);
    }

    @Test
    void an_interrupt_of_a_waiting_writer_closes_no_stream_and_is_kept() throws Exception {
        StreamSink sink = sink(Duration.ofHours(1));
        FutureTask<Boolean> writing = new FutureTask<>(() -> {
            sink.write(bytes("private"));
            return Thread.interrupted();
        });
        Thread writer = Thread.ofVirtual().start(writing);
        await().until(() -> checks.get() >= 2);

        writer.interrupt();
        int before = checks.get();
        await().until(() -> checks.get() > before + 1);
        state = State.ADMITTED;

        assertThat(writing.get()).isTrue();
        assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo("private");
        assertThat(disconnects).hasValue(0);
    }

    /** Like a connection whose client does not read: a write ends when it does, or with an interrupt of its thread. */
    private final class SlowClient extends OutputStream {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch reads = new CountDownLatch(1);

        @Override
        public void write(int single) throws IOException {
            begun.countDown();
            try {
                reads.await();
            } catch (InterruptedException interrupted) {
                throw new InterruptedIOException("The connection is closed.");
            }
            sent.write(single);
        }
    }

    @Test
    void an_interrupt_while_a_client_reads_slowly_closes_no_stream() throws Exception {
        state = State.ADMITTED;
        SlowClient slow = new SlowClient();
        client = slow;
        StreamSink sink = sink(Duration.ofHours(1));
        FutureTask<Boolean> writing = new FutureTask<>(() -> {
            sink.write(bytes("output"));
            return Thread.interrupted();
        });
        Thread writer = Thread.ofVirtual().start(writing);
        slow.begun.await();

        writer.interrupt();
        slow.reads.countDown();

        assertThat(writing.get()).isTrue();
        assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo("output");
        assertThat(disconnects).hasValue(0);
    }

    @Test
    void progress_is_dropped_while_its_client_cannot_be_checked() throws Exception {
        StreamSink sink = sink(Duration.ofHours(1));

        assertThat(sink.offer(bytes("lost"))).isFalse();
        state = State.ADMITTED;

        assertThat(sink.offer(bytes("progress"))).isTrue();
        assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo("progress");
        assertThat(disconnects).hasValue(0);
    }

    @Test
    void comments_are_sent_while_a_message_waits_until_its_client_is_checked() throws Exception {
        StreamSink sink = sink(new McpOutput.Checks(Duration.ZERO, Duration.ofHours(1), Duration.ZERO));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = threads.submit(() -> {
                sink.write(bytes("private"));
                return null;
            });
            await().until(() -> sent.size() >= 2 * COMMENT.length());
            assertThat(sent.toString(StandardCharsets.UTF_8)).startsWith(COMMENT + COMMENT);

            state = State.ADMITTED;

            writing.get();
            assertThat(sent.toString(StandardCharsets.UTF_8)).endsWith("\n\nprivate");
        }
    }
}
