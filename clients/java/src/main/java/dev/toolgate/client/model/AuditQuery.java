package dev.toolgate.client.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A query of the audit log; without filters it matches the calls of all tools, newest first. */
public final class AuditQuery {
    private final Map<String, Object> filters;

    private AuditQuery(Map<String, Object> filters) {
        this.filters = Collections.unmodifiableMap(filters);
    }

    /** All calls. */
    public static AuditQuery all() {
        return new AuditQuery(Map.of());
    }

    /** Only calls of this agent. */
    public AuditQuery agent(String agentId) {
        return with("agent_id", agentId);
    }

    /** Only calls of this tool. */
    public AuditQuery tool(String toolName) {
        return with("tool_name", toolName);
    }

    /** Only the call with this id. */
    public AuditQuery request(String requestId) {
        return with("request_id", requestId);
    }

    /** Only calls of this session. */
    public AuditQuery session(String sessionId) {
        return with("session_id", sessionId);
    }

    /** Only calls that ended like this: COMPLETED, FAILED, REFUSED or INTERRUPTED. */
    public AuditQuery status(String status) {
        return with("status", status);
    }

    /** Only allowed calls. */
    public AuditQuery onlyAllowed() {
        return with("allowed", true);
    }

    /** Only refused calls. */
    public AuditQuery onlyRefused() {
        return with("allowed", false);
    }

    /** Only records with this text in parameters, denial reason or result. */
    public AuditQuery containing(String text) {
        return with("q", text);
    }

    /** From this time on. */
    public AuditQuery from(Instant start) {
        return with("start_date", start.toString());
    }

    /** Before this time. */
    public AuditQuery before(Instant end) {
        return with("end_date", end.toString());
    }

    /** The oldest first. */
    public AuditQuery oldestFirst() {
        return with("order", "asc");
    }

    /** The page size; the stream contains all records in any case. */
    public AuditQuery pageSize(int records) {
        return with("limit", records);
    }

    /** Any other filter of the API. */
    public AuditQuery with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(filters);
        more.put(name, value);
        return new AuditQuery(more);
    }

    /** The query parameters, in the order in which they were given. */
    public Map<String, Object> filters() {
        return filters;
    }
}
