package dev.toolgate.store.grant;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Conditions by their text, each compiled once. */
final class CompiledConditions {
    private static final int MOST = 10_000;

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
        if (byText.size() >= MOST) {
            byText.clear(); // rare, and everything can be compiled again
        }
        return byText.computeIfAbsent(text, this::compile);
    }

    /** What was saved may have been written by hand or for an older version: then it covers no call, and says why. */
    private Condition compile(String text) {
        try {
            return language.compile(text);
        } catch (InvalidCondition mistake) {
            return new Broken(text, String.valueOf(mistake.getMessage()));
        }
    }

    private record Broken(String text, String mistake) implements Condition {
        @Override
        public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
            throw new InvalidCondition(mistake);
        }
    }
}
