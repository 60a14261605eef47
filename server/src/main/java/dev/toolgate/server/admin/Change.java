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

/** One administrative change while it is made. Never give it a secret: what it is told is kept for years. */
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

    /** What is changed, besides what the path of the request says. */
    public Change about(String name, String id) {
        target.put(name, id);
        return this;
    }

    /** Why, in the words of whoever makes the change. */
    public Change because(@Nullable String why) {
        reason = why;
        return this;
    }

    /**
     * It is about to happen; durable when this returns. Whatever is refused earlier is not on record.
     *
     * @param was what is there now, as an answer would show it; {@code null} if nothing is
     */
    public void begins(@Nullable Object was) {
        before = was;
        begun = changes.begin(caller, context, subject());
    }

    /** It has happened, and this is what is there now; not called if nothing is. */
    public void became(Object is) {
        after = is;
    }

    /** What makes a change. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    /** Does the work, and returns its result once it is on record. */
    public <T, E extends Exception> T recorded(Work<T, E> work) throws E {
        T result;
        try {
            result = work.run();
        } catch (HttpFailure refused) {
            failed(refused.code(), String.valueOf(refused.getMessage()));
            throw refused;
        } catch (Exception | Error broken) {
            failed(ErrorCode.INTERNAL_ERROR, "The change broke off; a part of it may have been made.");
            throw broken;
        }
        AuditedChange ended = begun == null ? changes.unannounced(caller, context, subject()) : begun;
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
