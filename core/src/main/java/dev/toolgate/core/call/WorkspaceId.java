package dev.toolgate.core.call;

/** The artifact namespace of a session. */
public record WorkspaceId(String value) {
    public WorkspaceId {
        Ids.check("workspace", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
