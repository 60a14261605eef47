package dev.toolgate.core.call;

/** The artifact namespace of a session. */
public record WorkspaceId(String value) {
    /** The workspace of calls that name none and whose session names none. */
    public static final WorkspaceId DEFAULT = new WorkspaceId("default");

    public WorkspaceId {
        Ids.check("workspace", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
