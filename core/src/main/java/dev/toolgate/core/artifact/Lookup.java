package dev.toolgate.core.artifact;

/** What came of looking for an artifact in somebody's name. */
public sealed interface Lookup {

    /** It is there, and they may see it. */
    record Found(FoundArtifact artifact) implements Lookup {}

    /** It is there, but not for them: they are told what those are told for whom there is none. */
    record Hidden(StoredArtifact facts) implements Lookup {}

    /** There is none. */
    record Absent() implements Lookup {}
}
