package dev.toolgate.runtime.network;

/**
 * Where a request goes, taken apart.
 *
 * @param scheme {@code http} or {@code https}
 * @param pathAndQuery begins with a slash; ASCII only
 */
public record HttpTarget(String scheme, Authority authority, String pathAndQuery) {

    /** Whether credentials for the one may be sent to the other. */
    boolean hasOriginOf(HttpTarget other) {
        return scheme.equals(other.scheme) && authority.equals(other.authority);
    }

    /** Whether the port is the one that its scheme implies. */
    boolean hasUsualPort() {
        return authority.port() == (scheme.equals("https") ? 443 : 80);
    }

    /** The host as it is named in a request, with its port only if that says something. */
    String hostHeader() {
        return hasUsualPort() ? authority.hostInUrl() : authority.toString();
    }

    @Override
    public String toString() {
        return scheme + "://" + hostHeader() + pathAndQuery;
    }
}
