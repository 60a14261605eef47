package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Describes in one sentence why a call to a server failed, and whether it may have run. */
final class UpstreamFailure {
    private static final String MAY_HAVE_RUN = "; it may have run, so check before you send it again";

    private UpstreamFailure() {}

    static ToolFailure of(Upstream upstream, String tool, McpFailure failed) {
        String server = "MCP server '" + upstream.settings().name() + "'";
        String why = withoutFullStop(VisibleText.line(String.valueOf(failed.getMessage())));
        return switch (failed.kind()) {
            case SERVER_ERROR -> answered(failed, server + " answered '" + tool + "' with an error: " + why);
            case INVALID_ANSWER, TOO_LARGE, HTTP_STATUS ->
                failure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "The answer of " + server + " to '" + tool + "' cannot be used: " + why + MAY_HAVE_RUN);
            case INPUT_REFUSED ->
                failure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        server + " asked for input during '" + tool + "', which is not available here: " + why);
            case CONNECTION_LOST ->
                failure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "The connection to " + server + " was lost during '" + tool + "': " + why + MAY_HAVE_RUN);
            case TIMEOUT ->
                failure(
                        ErrorCode.TOOL_EXECUTION_TIMEOUT,
                        server + " did not answer '" + tool + "' in time: " + why + MAY_HAVE_RUN);
            case CANCELLED -> failure(ErrorCode.TOOL_EXECUTION_FAILED, "The call was cancelled");
            case UNAUTHORIZED ->
                failure(
                        ErrorCode.CREDENTIALS_REFUSED,
                        server + " refuses the credentials that the gate has for it: " + why);
            case UNREACHABLE, CREDENTIALS_UNAVAILABLE, SESSION_LOST, ADDRESS_REFUSED, NOT_SENT ->
                unavailable(upstream, server, why);
        };
    }

    /** Why a server cannot be used at all. */
    static Failure toConnect(Upstream upstream, McpFailure failed) {
        return Failure.of(
                switch (failed.kind()) {
                    case UNAUTHORIZED -> ErrorCode.CREDENTIALS_REFUSED;
                    case TIMEOUT -> ErrorCode.TOOL_EXECUTION_TIMEOUT;
                    case UNREACHABLE,
                            CREDENTIALS_UNAVAILABLE,
                            SESSION_LOST,
                            ADDRESS_REFUSED,
                            NOT_SENT,
                            CONNECTION_LOST -> ErrorCode.SERVICE_UNAVAILABLE;
                    case SERVER_ERROR, INVALID_ANSWER, TOO_LARGE, HTTP_STATUS, INPUT_REFUSED, CANCELLED ->
                        ErrorCode.TOOL_EXECUTION_FAILED;
                },
                "MCP server '" + upstream.settings().name() + "' cannot be used: "
                        + withoutFullStop(VisibleText.line(String.valueOf(failed.getMessage()))));
    }

    // The caller's client needs to know which capabilities it would have to declare.
    private static ToolFailure answered(McpFailure failed, String sentence) {
        RpcError error = failed.error();
        JsonNode data = error == null ? null : error.data();
        if (error != null
                && data != null
                && error.code() == RpcErrorCode.MISSING_CLIENT_CAPABILITY.code()
                && data.path(NeededInput.CAPABILITIES) instanceof ObjectNode required) {
            return new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    sentence,
                    Map.of(NeededInput.CAPABILITIES, Json.MAPPER.convertValue(required, Map.class)));
        }
        return failure(ErrorCode.TOOL_EXECUTION_FAILED, sentence);
    }

    private static ToolFailure unavailable(Upstream upstream, String server, String why) {
        Failure failure = Failure.of(
                ErrorCode.SERVICE_UNAVAILABLE, server + " is not available, and nothing was executed: " + why);
        return switch (upstream.state()) {
            case UpstreamState.Unavailable unavailable -> {
                Duration wait = Duration.between(Instant.now(), unavailable.retryAt());
                yield new ToolFailure(wait.isPositive() ? failure.withRetryAfter(wait) : failure, null);
            }
            case UpstreamState.NotStarted _, UpstreamState.Connected _ -> new ToolFailure(failure, null);
        };
    }

    private static ToolFailure failure(ErrorCode code, String message) {
        return new ToolFailure(code, message, Map.of());
    }

    private static String withoutFullStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }
}
