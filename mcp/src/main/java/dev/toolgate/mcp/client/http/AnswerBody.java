package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the answer to a request from an HTTP response. */
final class AnswerBody {
    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int SHOWN = 200;
    private static final Duration REST = Duration.ofSeconds(1);

    private final RpcReader reader;
    private final TransportLimits limits;
    private final CallTimer timer;

    AnswerBody(RpcReader reader, TransportLimits limits, CallTimer timer) {
        this.reader = reader;
        this.limits = limits;
        this.timer = timer;
    }

    /** The answer in a JSON body. */
    RpcMessage.Response json(ClientCall call, ClientHttpResponse response) throws IOException, McpFailure {
        if (!response.mediaType().equals("application/json")) {
            response.close();
            throw invalid("The server answered " + call.method() + " with the media type '"
                    + shown(response.mediaType()) + "' instead of JSON or an event stream.");
        }
        byte[] body;
        try {
            body = BoundedBody.read(response.body(), limits.maxAnswerBytes());
        } catch (McpFailure tooLarge) {
            response.close();
            throw tooLarge;
        }
        call.answerBytes(body.length);
        if (parse(call, body) instanceof RpcMessage.Response answer && answers(call, answer)) {
            return answer;
        }
        throw invalid("The server answered " + call.method() + " with a message that does not belong to the request.");
    }

    /** The answer in an event stream; null if the stream ended without one. */
    RpcMessage.@Nullable Response streamed(ClientCall call, ClientHttpResponse response, SseReader events)
            throws IOException, McpFailure {
        try {
            for (SseEvent event = events.next(); event != null; event = events.next()) {
                if (event.data().length == 0) {
                    continue;
                }
                RpcMessage message = parse(call, event.data());
                if (!(message instanceof RpcMessage.Response answer)) {
                    call.received(message);
                } else if (answers(call, answer)) {
                    call.answerBytes(event.data().length);
                    finish(response);
                    return answer;
                }
                // An answer to another request is skipped; the size of the stream is bounded.
            }
            return null;
        } catch (IOException broken) {
            response.close();
            if (call.ended() != null || events.lastId() == null) {
                throw broken;
            }
            return null;
        } catch (McpFailure failed) {
            response.close();
            throw failed;
        }
    }

    /**
     * What a status other than 200 means.
     *
     * @param session the session the request was sent with; null if there was none
     */
    RpcMessage.Response refused(ClientCall call, ClientHttpResponse response, @Nullable String session)
            throws IOException, McpFailure {
        byte[] body = BoundedBody.beginning(response.body(), MAX_ERROR_BYTES);
        response.close();
        RpcMessage.Failure error = error(call, body);
        if (session != null && isSessionLost(response.status(), error)) {
            throw new McpFailure(McpFailureKind.SESSION_LOST, "The server no longer knows the session.");
        }
        if (error != null) {
            return error;
        }
        throw new McpFailure(
                McpFailureKind.HTTP_STATUS,
                "The server answered " + call.method() + " with HTTP status " + response.status()
                        + (response.status() / 100 == 3 ? "; redirects are not followed" : excerpt(body)) + ".");
    }

    /** Whether a refusal of the stream of a session, which answers no request, says that the session is lost. */
    boolean isSessionLost(ClientHttpResponse refusal) throws IOException {
        try (CallTimer.Watch _ = timer.after(REST, refusal::close)) {
            RpcMessage.Failure error = failure(BoundedBody.beginning(refusal.body(), MAX_ERROR_BYTES));
            return isSessionLost(refusal.status(), error);
        }
    }

    // The revisions say 404, with or without the id of the request; some servers say 400 with an error that belongs to
    // no request.
    private static boolean isSessionLost(int status, RpcMessage.@Nullable Failure error) {
        return switch (status) {
            case 404 ->
                error == null || error.id() == null || error.error().code() != RpcErrorCode.METHOD_NOT_FOUND.code();
            case 400 ->
                error != null
                        && error.id() == null
                        && error.error().message().toLowerCase(Locale.ROOT).contains("session");
            default -> false;
        };
    }

    private RpcMessage.@Nullable Failure error(ClientCall call, byte[] body) {
        RpcMessage.Failure error = failure(body);
        return error != null && answers(call, error) ? error : null;
    }

    private RpcMessage.@Nullable Failure failure(byte[] body) {
        try {
            return reader.read(body) instanceof RpcMessage.Failure failure ? failure : null;
        } catch (RpcException noMessage) {
            return null;
        }
    }

    private RpcMessage parse(ClientCall call, byte[] bytes) throws McpFailure {
        try {
            return reader.read(bytes);
        } catch (RpcException malformed) {
            throw new McpFailure(
                    McpFailureKind.INVALID_ANSWER,
                    "The server answered " + call.method() + " with something that is not a JSON-RPC message: "
                            + malformed.getMessage(),
                    malformed);
        }
    }

    private static boolean answers(ClientCall call, RpcMessage.Response response) {
        RpcId id =
                switch (response) {
                    case RpcMessage.Result result -> result.id();
                    case RpcMessage.Failure failure -> failure.id();
                };
        return id == null || id.equals(call.id());
    }

    // The stream usually ends right after the answer; reading it to the end makes the connection reusable.
    private void finish(ClientHttpResponse response) {
        Thread.startVirtualThread(() -> {
            try (response;
                    CallTimer.Watch _ = timer.after(REST, response::close)) {
                BoundedBody.beginning(response.body(), MAX_ERROR_BYTES);
            } catch (IOException gone) {
                // Then the next request opens another connection.
            }
        });
    }

    private static String excerpt(byte[] body) {
        String text = shown(new String(body, StandardCharsets.UTF_8));
        return text.isEmpty() ? "" : ": " + text;
    }

    private static String shown(String text) {
        String line = text.strip().replaceAll("[^\\x20-\\x7e]+", " ");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }

    private static McpFailure invalid(String message) {
        return new McpFailure(McpFailureKind.INVALID_ANSWER, message);
    }
}
