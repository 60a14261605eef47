package dev.toolgate.http.request;

/**
 * The client of a request, behind trusted proxies.
 *
 * @param address the client's IP address, or that of the last trusted proxy if unknown
 */
public record RequestSource(String address, Arrival arrival, Channel channel) {

    /** How a request arrived. */
    public enum Arrival {
        DIRECT,
        /** Through a trusted proxy. */
        BY_PROXY
    }

    /** Whether the client's connection is encrypted. */
    public enum Channel {
        PLAIN,
        TLS
    }
}
