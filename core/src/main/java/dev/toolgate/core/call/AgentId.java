package dev.toolgate.core.call;

/** The agent that makes a call. */
public record AgentId(String value) {
    public AgentId {
        Ids.check("agent", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
