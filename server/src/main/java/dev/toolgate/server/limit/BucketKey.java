package dev.toolgate.server.limit;

import dev.toolgate.core.call.Caller;

/** The key of a rate limit bucket; an empty text means all. */
record BucketKey(String tenant, String agent, String tool, Limit limit) {
    private static final String ALL = "";

    static BucketKey of(Caller caller, String tool, Limit limit) {
        return new BucketKey(caller.tenant().value(), caller.agent().value(), tool, limit);
    }

    static BucketKey ofAgent(Caller caller, Limit limit) {
        return of(caller, ALL, limit);
    }

    static BucketKey ofTenant(Caller caller, Limit limit) {
        return new BucketKey(caller.tenant().value(), ALL, ALL, limit);
    }
}
