package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * A condition for recorded calls. Where the record lacks what the condition reads, the currently assumed value is used;
 * a decision that is the same under both assumptions is certain.
 */
record ReplayedCondition(Condition real, ReplayedCall current) implements Condition {
    @Override
    public String text() {
        return real.text();
    }

    @Override
    public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
        MaskedArguments arguments = current.arguments();
        if (arguments.completeness() == MaskedArguments.Completeness.CUT
                && (text().contains("params") || text().contains("operation"))) {
            return current.assumed();
        }
        // A record does not contain the alias by which a tool was called, and some aliases have defaults.
        boolean first = holds(ReplayedCall.with(call, tool.name(), arguments.unreadable()), tool, now, arguments);
        boolean sure = names(tool)
                .allMatch(name ->
                        first == holds(ReplayedCall.with(call, name, arguments.unreadable()), tool, now, arguments));
        return sure ? first : current.assumed();
    }

    // A condition that fails does not hold; with masked values it might not have failed.
    private boolean holds(Call readable, ToolSpec<?> tool, Instant now, MaskedArguments arguments) {
        try {
            return real.holds(readable, tool, now);
        } catch (RuntimeException unanswered) {
            return arguments.completeness() == MaskedArguments.Completeness.MASKED && current.assumed();
        }
    }

    private static Stream<String> names(ToolSpec<?> tool) {
        return tool.aliases().stream()
                .filter(alias -> !alias.defaults().isEmpty())
                .map(Alias::name);
    }
}
