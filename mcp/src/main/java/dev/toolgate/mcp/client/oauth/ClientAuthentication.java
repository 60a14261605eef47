package dev.toolgate.mcp.client.oauth;

import java.security.PrivateKey;

/** How a client proves to an authorization server who it is. */
public sealed interface ClientAuthentication {
    String clientId();

    /** A public client, which only names itself. */
    record Public(String clientId) implements ClientAuthentication {}

    /** A client with a secret, sent in the way that the server supports. */
    record Secret(String clientId, String secret) implements ClientAuthentication {
        @Override
        public String toString() {
            return "Secret[clientId=" + clientId + "]";
        }
    }

    /**
     * A client with a private key, which never leaves it.
     *
     * @param algorithm the JWS name: ES256, RS256, PS256 or EdDSA
     */
    record SigningKey(String clientId, PrivateKey key, String algorithm) implements ClientAuthentication {
        @Override
        public String toString() {
            return "SigningKey[clientId=" + clientId + ", algorithm=" + algorithm + "]";
        }
    }
}
