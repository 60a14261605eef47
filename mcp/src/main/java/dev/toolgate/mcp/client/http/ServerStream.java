package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpTransport.Listener;
import dev.toolgate.mcp.client.transport.NotificationRetry;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream on which servers of legacy revisions send messages outside calls; reopened whenever it ends or is refused.
 * A server that is being restarted refuses it in many ways, so only one means that there is none.
 */
final class ServerStream {
    private static final Logger log = LoggerFactory.getLogger(ServerStream.class);
    private static final Duration HEAD = Duration.ofSeconds(30);
    private static final int NOT_OFFERED = 405;

    private final HttpSender sender;
    private final RpcReader reader;
    private final AnswerBody answers;
    private final TransportLimits limits;
    private volatile @Nullable Listener listener;
    private @Nullable Run current;

    ServerStream(HttpSender sender, RpcReader reader, AnswerBody answers, TransportLimits limits) {
        this.sender = sender;
        this.reader = reader;
        this.answers = answers;
        this.limits = limits;
    }

    void listener(Listener newListener) {
        listener = newListener;
    }

    /** Opens the stream of the current session unless it is open. Not retried if the server offers none. */
    synchronized void open(Map<String, String> headers) {
        if (current == null) {
            Run run = new Run(headers);
            current = run;
            run.thread = Thread.ofVirtual().name("mcp-server-stream").start(run);
        }
    }

    synchronized void stop() {
        Run run = current;
        current = null;
        if (run != null) {
            run.stop();
        }
    }

    /** How the server answered one request for the stream. */
    private enum Attempt {
        READ,
        REFUSED,
        NOT_OFFERED
    }

    private final class Run implements Runnable {
        private final Map<String, String> headers;
        private final @Nullable String session = sender.session();
        private volatile boolean stopped;
        private boolean wasOpen;
        private volatile @Nullable RequestAbort abort;
        private @Nullable Thread thread;
        private @Nullable String lastId;
        private Duration retry = Duration.ZERO;

        Run(Map<String, String> headers) {
            this.headers = headers;
        }

        void stop() {
            stopped = true;
            RequestAbort open = abort;
            if (open != null) {
                open.abort();
            }
            Thread running = thread;
            if (running != null) {
                running.interrupt();
            }
        }

        @Override
        public void run() {
            int failures = 0;
            while (!stopped) {
                Duration pause;
                try {
                    switch (read()) {
                        case READ -> failures = 0;
                        case REFUSED -> failures++;
                        case NOT_OFFERED -> {
                            return;
                        }
                    }
                    pause = NotificationRetry.growing(retry, failures);
                } catch (IOException broken) {
                    failures++;
                    pause = NotificationRetry.growing(retry, failures);
                    log.debug("The stream of server messages cannot be read: {}", broken.getMessage());
                } catch (McpFailure failed) {
                    failures++;
                    pause = NotificationRetry.after(failed.kind(), failures);
                    log.debug("The stream of server messages cannot be opened: {}", failed.getMessage());
                }
                if (pause == null || !isRunningAfter(pause)) {
                    return;
                }
            }
        }

        private Attempt read() throws IOException, McpFailure {
            RequestAbort opened = new RequestAbort();
            abort = opened;
            if (stopped) {
                return Attempt.REFUSED;
            }
            try (ClientHttpResponse response = sender.get(headers, session, lastId, HEAD, opened)) {
                if (response.status() == NOT_OFFERED) {
                    return Attempt.NOT_OFFERED;
                }
                if (response.status() != 200 || !response.mediaType().equals("text/event-stream")) {
                    refused(response);
                    return Attempt.REFUSED;
                }
                wasOpen = true;
                SseReader events =
                        new SseReader(response.body(), limits.message().maxBytes(), SseReader.UNBOUNDED);
                try {
                    for (SseEvent event = events.next(); event != null; event = events.next()) {
                        deliver(event.data());
                    }
                } catch (IOException broken) {
                    // It was open, so the server is asked again as soon as if it had ended the stream.
                    log.debug("The stream of server messages broke: {}", broken.getMessage());
                } finally {
                    lastId = events.lastId() == null ? lastId : events.lastId();
                    retry = events.retry() == null ? retry : events.retry();
                }
                return Attempt.READ;
            }
        }

        // Some servers answer 404 because they have no such stream, so it says something about a session only if the
        // stream was open in it.
        private void refused(ClientHttpResponse response) throws IOException {
            log.debug("The stream of server messages was refused with HTTP status {}", response.status());
            Listener receiver = listener;
            if (wasOpen && session != null && answers.isSessionLost(response) && !stopped && receiver != null) {
                receiver.sessionLost();
            }
        }

        private void deliver(byte[] data) {
            Listener receiver = listener;
            if (data.length == 0 || receiver == null) {
                return;
            }
            try {
                RpcMessage message = reader.read(data);
                if (!(message instanceof RpcMessage.Response)) {
                    receiver.received(message);
                }
            } catch (RpcException malformed) {
                log.debug("Skipped an event that is not a JSON-RPC message: {}", malformed.getMessage());
            }
        }

        private boolean isRunningAfter(Duration pause) {
            try {
                Thread.sleep(pause);
                return !stopped;
            } catch (InterruptedException ended) {
                return false;
            }
        }
    }
}
