package dev.toolgate.server.condition;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** A tool and calls to evaluate conditions with. */
final class ConditionFixture {
    /** A Sunday, 14:00 in Berlin. */
    static final Instant NOON = Instant.parse("2026-03-01T13:00:00Z");

    static final Caller ALICE =
            Caller.ofAgent(new TenantId("acme"), new AgentId("alice"), null, new WorkspaceId("any"));
    static final ToolSpec<Nothing> TOOL = ToolSpec.of(
                    "file_list", Nothing.class, Category.FILE, "File.Read", "Lists a folder.")
            .alsoKnownAs(Alias.runtime("ListDeep").defaulting("recursive", true));

    private ConditionFixture() {}

    record Nothing() {}

    static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    static Call call(String arguments) {
        return Call.of(ALICE, "file_list", json(arguments)).purpose("deploy", "apollo");
    }

    static boolean holds(String condition, String arguments) {
        return holds(condition, call(arguments));
    }

    static boolean holds(String condition, Call call) {
        return new CelConditions().compile(condition).holds(call, TOOL, NOON);
    }

    static Call inSession(Call call) {
        return Call.of(ALICE.in(new SessionId("s-1")), call.toolName(), call.arguments());
    }
}
