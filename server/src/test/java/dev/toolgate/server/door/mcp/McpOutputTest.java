package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.http.events.StreamStarter;
import dev.toolgate.mcp.server.http.StreamSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream whose client cannot be checked for a while, because the database is unavailable. */
@Timeout(60)
class McpOutputTest {
    private static final String COMMENT = ":\n\n";

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
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
            return sent;
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
        McpOutput output =
                new McpOutput(new Starter(), this::isAdmitted, new McpOutput.Checks(Duration.ZERO, maxUnknown));
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
}
