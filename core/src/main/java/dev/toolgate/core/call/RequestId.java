package dev.toolgate.core.call;

/** One call, as the caller names it. */
public record RequestId(String value) {
    public RequestId {
        Ids.check("request", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
