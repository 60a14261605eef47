package dev.toolgate.store.grant;

/** An administrator named a tenant, group or template that does not exist. */
public final class UnknownTarget extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnknownTarget(String kind, String id) {
        super("There is no " + kind + " '" + id + "'.");
    }
}
