package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.json.Json;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of a refusal, with the allowed tools and a suggestion. */
final class Denial {
    private final Grants grants;
    private final GrantAdvice advice;

    Denial(Grants grants, GrantAdvice advice) {
        this.grants = grants;
        this.advice = advice;
    }

    /** The body without {@code logged}. */
    ObjectNode of(TenantId tenant, AgentId agent, String tool, @Nullable RequestId request, Failure why) {
        List<String> allowed = grants.toolsOf(tenant, agent);
        return body(request, why, allowed)
                .put(
                        "suggestion",
                        why.code() == ErrorCode.PERMISSION_DENIED
                                ? advice.of(tenant, agent, tool, allowed)
                                : why.code().remediation());
    }

    static ObjectNode body(@Nullable RequestId request, Failure why, List<String> allowed) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "denied");
        if (request != null) {
            body.put("request_id", request.value());
        }
        body.put("reason", why.message());
        body.put("violation_type", why.code().name().toLowerCase(Locale.ROOT));
        ArrayNode tools = body.putArray("allowed_tools");
        allowed.forEach(tools::add);
        return body;
    }
}
