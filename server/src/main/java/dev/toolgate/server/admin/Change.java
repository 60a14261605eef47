package dev.toolgate.server.admin;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditedChange;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.AnswerJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One administrative change in progress. Never pass it a secret: everything it is given is kept in the audit log for
 * years.
 */
public final class Change {
    private final AuditedChanges changes;
    private final Caller caller;
    private final CallContext context;
    private final String what;
    private final String operation;
    private final ObjectNode target = Json.MAPPER.createObjectNode();
    private @Nullable Object before;
    private @Nullable Object after;
    private @Nullable String reason;
    private @Nullable AuditedChange begun;

    Change(AuditedChanges changes, Caller caller, CallContext context, String what, String operation) {
        this.changes = changes;
        this.caller = caller;
        this.context = context;
        this.what = what;
        this.operation = operation;
    }

    /** Adds an id of the changed resource that is not in the request's path. */
    public Change about(String name, String id) {
        target.put(name, id);
        return this;
    }

    /** Sets the reason that the principal gives for the change. */
    public Change because(@Nullable String why) {
        reason = why;
        return this;
    }

    /**
     * Records the intent to change; durable when this returns. A request refused before this is not recorded.
     *
     * @param was the current state, as a response would show it; {@code null} if there is none
     */
    public void begin(@Nullable Object was) {
        before = was;
        begun = changes.begin(caller, context, subject());
    }

    /** Sets the state after the change; not called after a deletion. */
    public void changedTo(Object is) {
        after = is;
    }

    /** The work that makes a change. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    /** Does the work and returns its result once it is recorded. */
    public <T, E extends Exception> T recorded(Work<T, E> work) throws E {
        T result;
        try {
            result = work.run();
        } catch (HttpFailure refused) {
            failed(refused.code(), String.valueOf(refused.getMessage()));
            throw refused;
        } catch (Exception | Error broken) {
            failed(ErrorCode.INTERNAL_ERROR, "The change failed unexpectedly and may have been made in part.");
            throw broken;
        }
        AuditedChange ended = begun == null ? changes.beginWithoutIntent(caller, context, subject()) : begun;
        ended.done(facts(), "OK");
        return result;
    }

    private void failed(ErrorCode code, String why) {
        if (begun != null) {
            begun.failed(code, why);
        }
    }

    private AuditedChanges.Subject subject() {
        return new AuditedChanges.Subject(AuditLog.Kind.ADMINISTRATION, what, operation, facts());
    }

    private ObjectNode facts() {
        ObjectNode facts = Json.MAPPER.createObjectNode();
        facts.set("target", target.deepCopy());
        facts.set("before", AnswerJson.tree(before));
        facts.set("after", AnswerJson.tree(after));
        facts.put("reason", reason);
        return facts;
    }
}
