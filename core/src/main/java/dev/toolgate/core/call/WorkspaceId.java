package dev.toolgate.core.call;

/** The artifact namespace of a session. */
public record WorkspaceId(String value) {
    /** Where calls work that name none, unless their session does. */
    public static final WorkspaceId DEFAULT = new WorkspaceId("default");

    public WorkspaceId {
        Ids.check("workspace", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
