package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.protocol.McpMethods;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Streamable HTTP of all revisions. Every request is a POST; its answer, a JSON body or an event stream, is read by the
 * calling thread. A request is retried only if the server has refused it.
 */
public final class HttpTransport implements McpTransport {
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_RETRY = Duration.ofSeconds(1);
    private static final int MAX_RESUMES = 20;

    private final HttpSender sender;
    private final AnswerBody answers;
    private final TransportLimits limits;
    private final CallTimer timer = new CallTimer();
    private final ServerStream serverStream;
    private volatile boolean closed;

    public HttpTransport(
            HttpEndpoint endpoint, HttpExchanger exchanger, ServerAuthorization authorization, TransportLimits limits)
            throws McpFailure {
        endpoint.check().require("MCP server", endpoint.uri());
        this.limits = limits;
        this.sender = new HttpSender(endpoint, exchanger, authorization);
        RpcReader reader = new RpcReader(limits.message());
        this.answers = new AnswerBody(reader, limits, timer);
        this.serverStream = new ServerStream(sender, reader, answers, limits);
    }

    @Override
    public void listener(Listener listener) {
        serverStream.listener(listener);
    }

    @Override
    public RpcMessage.Response exchange(ClientCall call) throws McpFailure {
        RequestAbort abort = new RequestAbort();
        call.onEnd(abort::abort);
        try (CallTimer.Watch _ = timer.watch(call)) {
            requireOpen();
            call.beginSending();
            return answer(call, abort);
        } catch (IOException broken) {
            throw failure(call, broken);
        } catch (McpFailure failed) {
            McpFailure ended = call.ended();
            throw ended == null ? failed : ended;
        }
    }

    private RpcMessage.Response answer(ClientCall call, RequestAbort abort) throws IOException, McpFailure {
        if (call.method().equals(McpMethods.INITIALIZE)) {
            return begin(call, abort);
        }
        // Another call may begin a new session before the server refuses this one for the old.
        String session = sender.session();
        ClientHttpResponse response = sender.post(call.body(), call.headers(), session, null, abort);
        return response.status() == 200
                ? body(call, abort, response, session)
                : answers.refused(call, response, session);
    }

    /** Begins a session; it replaces the earlier one only if the server accepts it. */
    private RpcMessage.Response begin(ClientCall call, RequestAbort abort) throws IOException, McpFailure {
        ClientHttpResponse response = sender.post(call.body(), call.headers(), null, null, abort);
        if (response.status() != 200) {
            return answers.refused(call, response, null);
        }
        String assigned = HttpSender.assignedSession(response);
        RpcMessage.Response answer = body(call, abort, response, assigned);
        if (answer instanceof RpcMessage.Result) {
            serverStream.stop();
            sender.adoptSession(assigned);
        }
        return answer;
    }

    private RpcMessage.Response body(
            ClientCall call, RequestAbort abort, ClientHttpResponse first, @Nullable String session)
            throws IOException, McpFailure {
        ClientHttpResponse response = first;
        String lastId = null;
        for (int resumes = 0; ; resumes++) {
            if (!response.mediaType().equals("text/event-stream")) {
                return answers.json(call, response);
            }
            SseReader events = new SseReader(response.body(), limits.message().maxBytes(), limits.maxAnswerBytes());
            RpcMessage.Response answer = answers.streamed(call, response, events);
            if (answer != null) {
                return answer;
            }
            lastId = events.lastId() == null ? lastId : events.lastId();
            // Only streams of legacy revisions have ids; those are resumed without resending the request.
            if (lastId == null || !HttpSender.hasLegacyStreams(call.headers(), session) || resumes == MAX_RESUMES) {
                throw new McpFailure(
                        McpFailureKind.CONNECTION_LOST,
                        "The server ended the stream of " + call.method() + " without an answer.");
            }
            Duration retry = events.retry();
            pause(call, retry == null ? DEFAULT_RETRY : retry);
            call.onEnd(abort::abort);
            response = resume(call, abort, session, lastId);
        }
    }

    // The server has accepted the request, so no failure from here on may say that it was not executed.
    private ClientHttpResponse resume(ClientCall call, RequestAbort abort, @Nullable String session, String lastEventId)
            throws IOException, McpFailure {
        ClientHttpResponse response;
        try {
            response = sender.get(call.headers(), session, lastEventId, null, abort);
        } catch (HttpUnreachable gone) {
            throw HttpSender.failure(gone).afterAcceptance();
        } catch (McpFailure refused) {
            throw refused.afterAcceptance();
        }
        if (response.status() != 200) {
            response.close();
            throw new McpFailure(
                    McpFailureKind.CONNECTION_LOST,
                    "The stream of " + call.method() + " broke, and the server refused to resume it with HTTP status "
                            + response.status() + ".");
        }
        return response;
    }

    private static void pause(ClientCall call, Duration time) throws McpFailure {
        CountDownLatch ended = new CountDownLatch(1);
        call.onEnd(ended::countDown);
        try {
            if (ended.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
                McpFailure why = call.ended();
                throw why == null ? new McpFailure(McpFailureKind.CANCELLED, "The request was cancelled.") : why;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(McpFailureKind.CANCELLED, "The thread of the request was interrupted.", stopped);
        }
    }

    private static McpFailure failure(ClientCall call, IOException broken) {
        McpFailure ended = call.ended();
        if (ended != null) {
            return ended;
        }
        if (Thread.currentThread().isInterrupted()) {
            return new McpFailure(McpFailureKind.CANCELLED, "The thread of the request was interrupted.", broken);
        }
        return HttpSender.failure(broken);
    }

    @Override
    public void send(RpcMessage message, Map<String, String> headers) throws McpFailure {
        requireOpen();
        RequestAbort abort = new RequestAbort();
        // Watched from the beginning: the server may take its time with reading the message, too.
        try (CallTimer.Watch _ = timer.after(SHORT, abort::abort);
                ClientHttpResponse response =
                        sender.post(RpcWriter.bytes(message), headers, sender.session(), SHORT, abort)) {
            if (response.status() / 100 != 2) {
                throw new McpFailure(
                        McpFailureKind.HTTP_STATUS,
                        "The server refused a message with HTTP status " + response.status() + ".");
            }
            // Usually empty; read to its end so that the connection can be used again.
            BoundedBody.beginning(response.body(), 4 << 10);
        } catch (IOException broken) {
            throw HttpSender.failure(broken);
        }
    }

    private void requireOpen() throws McpFailure {
        if (closed) {
            throw new McpFailure(McpFailureKind.NOT_SENT, "The connection to the server has been closed.");
        }
    }

    @Override
    public void listen(Map<String, String> headers) {
        if (!closed) {
            serverStream.open(headers);
        }
    }

    @Override
    public boolean hasStreamPerRequest() {
        return true;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        serverStream.stop();
        timer.close(new McpFailure(McpFailureKind.CONNECTION_LOST, "The connection to the server has been closed."));
        sender.endSession(SHORT);
    }

    /** The session that the server assigned, for diagnostics; null if there is none. */
    public @Nullable String session() {
        return sender.session();
    }
}
