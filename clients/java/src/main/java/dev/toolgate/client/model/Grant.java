package dev.toolgate.client.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The terms on which an agent is allowed a tool. */
public final class Grant {
    private final Map<String, Object> terms;

    private Grant(Map<String, Object> terms) {
        this.terms = Collections.unmodifiableMap(terms);
    }

    /** Allowed without terms. */
    public static Grant allowed() {
        return new Grant(Map.of("allowed", true));
    }

    /** Each call needs an approval. */
    public Grant withApproval() {
        return with("requires_approval", true);
    }

    /** Only calls that match this condition, in CEL. */
    public Grant onlyIf(String condition) {
        return with("condition", condition);
    }

    /** Until this time. */
    public Grant until(Instant end) {
        return with("expires_at", end.toString());
    }

    /** For at most this many calls. */
    public Grant forCalls(int max) {
        return with("max_uses", max);
    }

    /** With a note. */
    public Grant notes(String text) {
        return with("notes", text);
    }

    /** With a reason, for the history. */
    public Grant because(String reason) {
        return with("reason", reason);
    }

    /** The body of the request. */
    public Map<String, Object> terms() {
        return terms;
    }

    private Grant with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(terms);
        more.put(name, value);
        return new Grant(more);
    }
}
