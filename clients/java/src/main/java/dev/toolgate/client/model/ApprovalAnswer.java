package dev.toolgate.client.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer to an approval request. */
public final class ApprovalAnswer {
    private final Map<String, Object> fields;

    private ApprovalAnswer(Map<String, Object> fields) {
        this.fields = Collections.unmodifiableMap(fields);
    }

    /** Approves exactly this call. */
    public static ApprovalAnswer approve() {
        return new ApprovalAnswer(Map.of("approved", true));
    }

    /** Denies the call. */
    public static ApprovalAnswer deny() {
        return new ApprovalAnswer(Map.of("approved", false));
    }

    /** With a reason, for the record. */
    public ApprovalAnswer because(String reason) {
        return with("reason", reason);
    }

    /** For further calls of the tool by the agent in this session, too. */
    public ApprovalAnswer forSession() {
        return with("scope", "session");
    }

    /** For all further calls of the tool by the agent. */
    public ApprovalAnswer forAgent() {
        return with("scope", "agent");
    }

    /** When an approval of further calls ends. */
    public ApprovalAnswer until(Instant end) {
        return with("expires_at", end.toString());
    }

    /** The body of the request. */
    public Map<String, Object> fields() {
        return fields;
    }

    private ApprovalAnswer with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new ApprovalAnswer(more);
    }
}
