package dev.toolgate.mcp.client.oauth;

import java.security.PrivateKey;

/** How a client authenticates to an authorization server. */
public sealed interface ClientAuthentication {
    String clientId();

    /** A public client, which only sends its id. */
    record Public(String clientId) implements ClientAuthentication {}

    /** A client with a secret, sent with a method that the server supports. */
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
