package dev.toolgate.core.call;

/** The workspace a call works in. Workspaces of different tenants are never the same, whatever they are called. */
public record WorkspaceKey(TenantId tenant, WorkspaceId id) {

    /** The one this caller works in. */
    public static WorkspaceKey of(Caller caller) {
        return new WorkspaceKey(caller.tenant(), caller.workspace());
    }

    @Override
    public String toString() {
        return tenant + "/" + id;
    }
}
