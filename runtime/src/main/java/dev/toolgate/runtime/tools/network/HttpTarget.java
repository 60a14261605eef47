package dev.toolgate.runtime.tools.network;

/**
 * Where a request goes, taken apart.
 *
 * @param scheme {@code http} or {@code https}
 * @param pathAndQuery begins with a slash; ASCII only
 */
record HttpTarget(String scheme, Authority authority, String pathAndQuery) {

    /** Whether credentials for the one may be sent to the other. */
    boolean hasOriginOf(HttpTarget other) {
        return scheme.equals(other.scheme) && authority.equals(other.authority);
    }

    @Override
    public String toString() {
        return scheme + "://" + authority + pathAndQuery;
    }
}
