package dev.toolgate.mcp.client.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A failing write can be the first sign that a program has ended. */
final class StdioEndTest {
    @Test
    void writing_to_an_ended_program_reports_how_it_ended() {
        try (StdioTransport transport =
                new StdioTransport(new Ending(), TransportLimits.DEFAULT, StdioTimeouts.DEFAULT)) {
            assertThatThrownBy(() ->
                            transport.send(new RpcMessage.Notification("notifications/initialized", null), Map.of()))
                    .isInstanceOfSatisfying(McpFailure.class, failure -> assertThat(failure.kind())
                            .isEqualTo(McpFailureKind.CONNECTION_LOST))
                    .hasMessage("The server has ended with exit code 127. Its last words: server: not found");
        }
    }

    /** Its input is closed at once; its error output and exit code are available only after {@link #waitFor}. */
    private static final class Ending implements StdioProcess {
        private final CountDownLatch awaited = new CountDownLatch(1);

        @Override
        public OutputStream stdin() {
            return new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    throw new IOException("Broken pipe");
                }
            };
        }

        @Override
        public InputStream stdout() {
            return new AfterLatch("");
        }

        @Override
        public InputStream stderr() {
            return new AfterLatch("server: not found");
        }

        @Override
        public boolean waitFor(Duration timeout) {
            awaited.countDown();
            return true;
        }

        @Override
        public void terminate() {}

        @Override
        public void kill() {}

        @Override
        public OptionalInt exitCode() {
            return awaited.getCount() == 0 ? OptionalInt.of(127) : OptionalInt.empty();
        }

        private final class AfterLatch extends FilterInputStream {
            AfterLatch(String text) {
                super(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            }

            @Override
            public int read() throws IOException {
                await();
                return super.read();
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                await();
                return super.read(into, offset, length);
            }

            private void await() {
                try {
                    awaited.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
