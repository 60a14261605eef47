package dev.toolgate.server.door;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.store.grant.Holder;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Parses ids from paths, queries and bodies. */
public final class PathIds {
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private PathIds() {}

    public static AgentId agent(String text) {
        return FailureMapping.unknownAsConflict(() -> new AgentId(text));
    }

    public static Holder.Group group(String text) {
        return FailureMapping.unknownAsConflict(() -> new Holder.Group(text));
    }

    public static TenantId tenant(String text) {
        return FailureMapping.unknownAsConflict(() -> new TenantId(text));
    }

    public static SessionId session(String text) {
        return FailureMapping.unknownAsConflict(() -> new SessionId(text));
    }

    public static UUID key(String text) {
        return uuid(text).orElseThrow(PathIds::noKey);
    }

    /** A UUID in its full form; Java also parses shorter ones, which the API document does not allow. */
    public static Optional<UUID> uuid(String text) {
        return UUID_TEXT.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
    }

    public static HttpFailure noKey() {
        return HttpFailure.notFound("There is no key with this id.");
    }

    public static HttpFailure noAgent(AgentId agent) {
        return HttpFailure.notFound("There is no agent '" + agent + "'.");
    }
}
