package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.artifact.ArtifactReader;
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

/** In whose name a request asks for artifacts: by a role that sees all, as an agent, perhaps in a session, or as a user. */
final class ArtifactVisitors {
    /** The query parameter that names the session. */
    static final String SESSION = "session_id";

    private final ArtifactAccess access;

    ArtifactVisitors(ArtifactAccess access) {
        this.access = access;
    }

    /** What the caller may see. */
    ArtifactReader reader(Exchange exchange, WorkspaceId workspace) {
        Principal principal = exchange.principal();
        SessionId session = session(exchange, workspace);
        if (principal.may(Right.SEE_ALL_ARTIFACTS)) {
            return new ArtifactReader.Everything();
        }
        if (principal.may(Right.CHAT_AS_NAMED_AGENTS)) {
            return new ArtifactReader.AskedBy(principal.name()); // in conversations: it makes calls nowhere else
        }
        return principal.agent() == null
                ? new ArtifactReader.Of(Set.of(), Set.of())
                : access.of(Callers.of(principal, principal.agent(), session, workspace));
    }

    /** The session that the request names, which the caller must be able to use; {@code null} if it names none. */
    @Nullable
    SessionId session(Exchange exchange, WorkspaceId workspace) {
        Optional<SessionId> named = exchange.query().text(SESSION).map(ArtifactVisitors::id);
        Principal principal = exchange.principal();
        named.flatMap(session -> refusal(principal, session, workspace)).ifPresent(refusal -> {
            throw new HttpFailure(404, ErrorCode.SESSION_NOT_FOUND, refusal.message());
        });
        return named.orElse(null);
    }

    private Optional<Failure> refusal(Principal principal, SessionId session, WorkspaceId workspace) {
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
