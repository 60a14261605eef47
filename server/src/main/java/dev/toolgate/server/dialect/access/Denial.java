package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.schema.Json;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A no, with what would be a yes. */
final class Denial {
    private final Grants grants;

    Denial(Grants grants) {
        this.grants = grants;
    }

    /** Everything but {@code logged}. */
    ObjectNode of(Call call, ErrorCode code, String reason) {
        List<String> allowed =
                grants.toolsOf(call.caller().tenant(), call.caller().agent());
        ObjectNode body = body(call.requestId(), code, reason, allowed);
        return body.put("suggestion", suggestion(call, code, allowed));
    }

    static ObjectNode body(RequestId request, ErrorCode code, String reason, List<String> allowed) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "denied");
        body.put("request_id", request.value());
        body.put("reason", reason);
        body.put("violation_type", code.name().toLowerCase(Locale.ROOT));
        ArrayNode tools = body.putArray("allowed_tools");
        allowed.forEach(tools::add);
        return body;
    }

    private static String suggestion(Call call, ErrorCode code, List<String> allowed) {
        if (code != ErrorCode.PERMISSION_DENIED) {
            return code.remediation();
        }
        String ask = "ask an operator to grant '" + call.toolName() + "' to agent '"
                + call.caller().agent() + "', or have an agent do it that may";
        return allowed.isEmpty()
                ? "This agent has not been granted any tool yet; " + ask + "."
                : "Use one of the allowed tools, " + ask + ".";
    }
}
