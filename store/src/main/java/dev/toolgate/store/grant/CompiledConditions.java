package dev.toolgate.store.grant;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A cache of compiled conditions by their text. */
final class CompiledConditions {
    private static final int MAX_CONDITIONS = 10_000;

    private final Map<String, Condition> byText = new ConcurrentHashMap<>();
    private final Conditions language;

    CompiledConditions(Conditions language) {
        this.language = language;
    }

    Condition of(String text) {
        Condition known = byText.get(text);
        if (known != null) {
            return known;
        }
        if (byText.size() >= MAX_CONDITIONS) {
            byText.clear(); // rare; conditions are compiled again on demand
        }
        return byText.computeIfAbsent(text, this::compile);
    }

    /** The condition, compiled when a call is first checked against it, for readers that seldom check one. */
    Condition onDemand(String text) {
        return new OnDemand(text, this);
    }

    /**
     * A stored condition may be invalid, if it was written by hand or for an older version: it then denies every call.
     */
    private Condition compile(String text) {
        try {
            return language.compile(text);
        } catch (InvalidCondition mistake) {
            return new Broken(text, String.valueOf(mistake.getMessage()));
        }
    }

    private record OnDemand(String text, CompiledConditions all) implements Condition {
        @Override
        public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
            return all.of(text).holds(call, tool, now);
        }
    }

    private record Broken(String text, String mistake) implements Condition {
        @Override
        public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
            throw new InvalidCondition(mistake);
        }
    }
}
