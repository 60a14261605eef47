package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.store.grant.Holder;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Ids from paths, queries and bodies. */
public final class Ids {
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private Ids() {}

    static AgentId agent(String text) {
        return Refusals.ofBody(() -> new AgentId(text));
    }

    static Holder.Group group(String text) {
        return Refusals.ofBody(() -> new Holder.Group(text));
    }

    static TenantId tenant(String text) {
        return Refusals.ofBody(() -> new TenantId(text));
    }

    static SessionId session(String text) {
        return Refusals.ofBody(() -> new SessionId(text));
    }

    static UUID key(String text) {
        return uuid(text).orElseThrow(Ids::noKey);
    }

    /** A UUID written in full; Java reads shorter ones too, which the document does not allow. */
    public static Optional<UUID> uuid(String text) {
        return UUID_TEXT.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
    }

    static HttpFailure noKey() {
        return HttpFailure.notFound("There is no key with this id.");
    }

    static HttpFailure noAgent(AgentId agent) {
        return HttpFailure.notFound("There is no agent '" + agent + "'.");
    }
}
