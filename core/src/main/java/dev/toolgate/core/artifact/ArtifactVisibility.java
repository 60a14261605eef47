package dev.toolgate.core.artifact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import java.util.Set;

/** Which artifacts of a tenant a caller may see; all others are treated as absent. */
public sealed interface ArtifactVisibility {

    /** All of them, by role. */
    record Everything() implements ArtifactVisibility {}

    /** By grant: those made by an agent or in a session; not those of people or of unknown origin. */
    record Attributed() implements ArtifactVisibility {}

    /** Those made by these agents or in these sessions. */
    record MadeBy(Set<AgentId> agents, Set<SessionId> sessions) implements ArtifactVisibility {
        public MadeBy {
            agents = Set.copyOf(agents);
            sessions = Set.copyOf(sessions);
        }
    }

    /** Those requested by this principal, such as those of a person's own conversations. */
    record RequestedBy(String principal) implements ArtifactVisibility {}

    /** Former states kept for undo; visible only to the gate itself. */
    record KeptStates() implements ArtifactVisibility {}

    /** The kind of artifacts that only {@link KeptStates} includes. */
    String KEPT_STATE = "kept_state";

    /** Whether this artifact is visible. */
    default boolean includes(StoredArtifact artifact) {
        return artifact.kind().equals(KEPT_STATE) == this instanceof KeptStates && includesMakerOf(artifact);
    }

    private boolean includesMakerOf(StoredArtifact artifact) {
        return switch (this) {
            case KeptStates kept -> true;
            case Everything everything -> true;
            case Attributed attributed -> artifact.agent() != null || artifact.session() != null;
            case RequestedBy asking -> asking.principal().equals(artifact.principal());
            case MadeBy own ->
                (artifact.agent() != null && own.agents().contains(artifact.agent()))
                        || (artifact.session() != null && own.sessions().contains(artifact.session()));
        };
    }
}
