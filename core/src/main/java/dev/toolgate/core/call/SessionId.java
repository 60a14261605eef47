package dev.toolgate.core.call;

/** One conversation, bound by a policy bundle. */
public record SessionId(String value) {
    public SessionId {
        Ids.check("session", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
