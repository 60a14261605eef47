package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.gate.Callers;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Determines which artifacts a request may read: all, those of an agent and perhaps its session, or those of a user's
 * conversations.
 */
final class ArtifactReaders {
    /** The query parameter that names the session. */
    static final String SESSION = "session_id";

    private final ArtifactAccess access;

    ArtifactReaders(ArtifactAccess access) {
        this.access = access;
    }

    /** What the caller may see. */
    ArtifactVisibility reader(Exchange exchange, WorkspaceId workspace) {
        return reader(exchange.principal(), session(exchange, workspace), workspace);
    }

    /**
     * What a principal may see.
     *
     * @param session a session that the principal may use; {@code null} if none was named
     */
    ArtifactVisibility reader(Principal principal, @Nullable SessionId session, WorkspaceId workspace) {
        if (principal.may(Right.SEE_ALL_ARTIFACTS)) {
            return new ArtifactVisibility.Everything();
        }
        if (principal.may(Right.CHAT_AS_NAMED_AGENTS)) {
            return new ArtifactVisibility.RequestedBy(principal.name()); // a user makes calls only in conversations
        }
        return principal.agent() == null
                ? new ArtifactVisibility.MadeBy(Set.of(), Set.of())
                : access.of(Callers.of(principal, principal.agent(), session, workspace));
    }

    /** The session in the query, which the caller must be allowed to use; {@code null} if there is none. */
    @Nullable
    SessionId session(Exchange exchange, WorkspaceId workspace) {
        Optional<SessionId> named = exchange.query().text(SESSION).map(ArtifactReaders::id);
        Principal principal = exchange.principal();
        named.flatMap(session -> refusal(principal, session, workspace)).ifPresent(refusal -> {
            throw new HttpFailure(404, ErrorCode.SESSION_NOT_FOUND, refusal.message());
        });
        return named.orElse(null);
    }

    /** Why a principal may not use a session; empty if it may. */
    Optional<Failure> refusal(Principal principal, SessionId session, WorkspaceId workspace) {
        if (principal.agent() != null) {
            return access.refusal(Callers.of(principal, principal.agent(), session, workspace));
        }
        return principal
                .boundTo()
                .map(agents -> access.refusal(principal.tenant(), session, agents))
                .orElseGet(() -> access.refusal(principal.tenant(), session));
    }

    private static SessionId id(String text) {
        try {
            return new SessionId(text);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(String.valueOf(wrong.getMessage()));
        }
    }
}
