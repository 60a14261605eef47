package dev.toolgate.mcp.protocol;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The progress of a request.
 *
 * @param progress increases from one update to the next
 * @param total null if unknown
 * @param message for people; null if there is none
 */
public record ProgressUpdate(
        BigDecimal progress,
        @Nullable BigDecimal total,
        @Nullable String message) {

    /** An update that counts steps without a known total. */
    public static ProgressUpdate step(long step, String message) {
        return new ProgressUpdate(BigDecimal.valueOf(step), null, message);
    }

    /** The notification of it. */
    public RpcMessage.Notification notification(RpcId token) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set("progressToken", token.json());
        params.put("progress", progress);
        if (total != null) {
            params.put("total", total);
        }
        if (message != null) {
            params.put("message", message);
        }
        return new RpcMessage.Notification(McpMethods.PROGRESS, params);
    }

    /** Reads the parameters of a notification; null if they contain no progress. */
    public static @Nullable ProgressUpdate read(JsonNode params) {
        JsonNode progress = params.path("progress");
        JsonNode total = params.path("total");
        JsonNode message = params.path("message");
        return progress.isNumber()
                ? new ProgressUpdate(
                        progress.decimalValue(),
                        total.isNumber() ? total.decimalValue() : null,
                        message.isString() ? message.stringValue() : null)
                : null;
    }
}
