package dev.toolgate.server.condition;

import dev.cel.runtime.CelVariableResolver;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a condition for a call. The parameters are those the tool will get, under the tool's own parameter
 * names.
 */
record CallVariables(Call call, ToolSpec<?> spec, Instant now) implements CelVariableResolver {

    @Override
    public Optional<Object> find(String name) {
        return switch (name) {
            case "agent" -> Optional.of(call.caller().agent().value());
            case "tool" -> Optional.of(spec.name());
            case "operation" -> Optional.of(call.operation());
            case "project" -> Optional.of(call.project() == null ? "" : call.project());
            case "session" -> Optional.of(session(call.caller().session()));
            case "time" -> Optional.of(now);
            case "params" -> Optional.of(JsonValues.map(spec.complete(call.toolName(), call.arguments())));
            default -> Optional.empty();
        };
    }

    private static String session(@Nullable SessionId session) {
        return session == null ? "" : session.value();
    }
}
