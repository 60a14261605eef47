package dev.toolgate.core.artifact;

/** The result of looking up an artifact within a visibility. */
public sealed interface Lookup {

    /** It exists and is visible. */
    record Found(FoundArtifact artifact) implements Lookup {}

    /** It exists but is not visible; callers get the same answer as for an absent one. */
    record Hidden(StoredArtifact facts) implements Lookup {}

    /** It does not exist. */
    record Absent() implements Lookup {}
}
