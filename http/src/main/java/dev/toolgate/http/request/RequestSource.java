package dev.toolgate.http.request;

/**
 * Who is at the other end of a request, behind the proxies that are trusted.
 *
 * @param address the IP address of the client, or of the last trusted proxy if that is all that is known
 */
public record RequestSource(String address, Arrival arrival, Channel channel) {

    /** How a request arrived. */
    public enum Arrival {
        DIRECT,
        /** A trusted proxy passed it on. */
        BY_PROXY
    }

    /** Whether the client's own connection is encrypted. */
    public enum Channel {
        PLAIN,
        TLS
    }
}
