package dev.toolgate.core.call;

/** The isolation boundary; part of every key. */
public record TenantId(String value) {
    /** The tenant of a program that embeds the runtime. */
    public static final TenantId LOCAL = new TenantId("local");

    public TenantId {
        Ids.check("tenant", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
