package dev.toolgate.core.call;

/** Who makes a call. */
public record AgentId(String value) {
    public AgentId {
        Ids.check("agent", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
