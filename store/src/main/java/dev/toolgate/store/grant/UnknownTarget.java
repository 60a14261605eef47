package dev.toolgate.store.grant;

/** A tenant, agent, group or template in a request does not exist. */
public final class UnknownTarget extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnknownTarget(String kind, String id) {
        super("There is no " + kind + " '" + id + "'.");
    }
}
