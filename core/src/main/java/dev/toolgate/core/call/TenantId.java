package dev.toolgate.core.call;

/** The isolation boundary; part of every key. */
public record TenantId(String value) {
    public TenantId {
        Ids.check("tenant", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
