package dev.toolgate.server.door.access;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.json.Json;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A no, with what would be a yes. */
final class Denial {
    private final Grants grants;
    private final GrantAdvice advice;

    Denial(Grants grants, GrantAdvice advice) {
        this.grants = grants;
        this.advice = advice;
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

    private String suggestion(Call call, ErrorCode code, List<String> allowed) {
        return code == ErrorCode.PERMISSION_DENIED
                ? advice.of(call.caller().tenant(), call.caller().agent(), call.toolName(), allowed)
                : code.remediation();
    }
}
