package dev.toolgate.runtime.network;

/**
 * The parsed target of a request.
 *
 * @param scheme {@code http} or {@code https}
 * @param pathAndQuery begins with a slash; ASCII only
 */
public record HttpTarget(String scheme, Authority authority, String pathAndQuery) {

    /** Whether both have the same origin, so that credentials for one may be sent to the other. */
    boolean hasOriginOf(HttpTarget other) {
        return scheme.equals(other.scheme) && authority.equals(other.authority);
    }

    /** Whether the port is the default of the scheme. */
    boolean hasDefaultPort() {
        return authority.port() == (scheme.equals("https") ? 443 : 80);
    }

    /** The value of the Host header, with the port unless it is the default. */
    String hostHeader() {
        return hasDefaultPort() ? authority.hostInUrl() : authority.toString();
    }

    @Override
    public String toString() {
        return scheme + "://" + hostHeader() + pathAndQuery;
    }
}
