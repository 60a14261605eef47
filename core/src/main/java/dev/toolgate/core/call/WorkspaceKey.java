package dev.toolgate.core.call;

/** A workspace of a tenant. Workspaces of different tenants never coincide, even with equal names. */
public record WorkspaceKey(TenantId tenant, WorkspaceId id) {

    /** The workspace of this caller. */
    public static WorkspaceKey of(Caller caller) {
        return new WorkspaceKey(caller.tenant(), caller.workspace());
    }

    @Override
    public String toString() {
        return tenant + "/" + id;
    }
}
