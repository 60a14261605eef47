package dev.toolgate.core.artifact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import java.util.Set;

/** Which artifacts of a tenant somebody may see; what they may not see is not there for them. */
public sealed interface ArtifactReader {

    /** All of them, by role. */
    record Everything() implements ArtifactReader {}

    /** Those that an agent or a session is known to have made, by a grant; not those of people and unknown makers. */
    record Attributed() implements ArtifactReader {}

    /** Those that these agents made, and those that were made in these sessions. */
    record Of(Set<AgentId> agents, Set<SessionId> sessions) implements ArtifactReader {
        public Of {
            agents = Set.copyOf(agents);
            sessions = Set.copyOf(sessions);
        }
    }

    /** Those that this key or token asked for, such as those of a person's own conversations. */
    record AskedBy(String principal) implements ArtifactReader {}

    /** Whether this artifact is one of them. */
    default boolean maySee(StoredArtifact artifact) {
        return switch (this) {
            case Everything everything -> true;
            case Attributed attributed -> artifact.agent() != null || artifact.session() != null;
            case AskedBy asking -> asking.principal().equals(artifact.principal());
            case Of own ->
                (artifact.agent() != null && own.agents().contains(artifact.agent()))
                        || (artifact.session() != null && own.sessions().contains(artifact.session()));
        };
    }
}
