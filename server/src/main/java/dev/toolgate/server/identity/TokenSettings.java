package dev.toolgate.server.identity;

import dev.toolgate.core.call.TenantId;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which JSON Web Tokens are accepted.
 *
 * @param trust how their signature is checked
 * @param audience the audience a token must be for
 * @param claims the claims that identify the bearer
 * @param defaultTenant the tenant of tokens that name none; {@code null} refuses those
 */
public record TokenSettings(
        Trust trust,
        String audience,
        ClaimNames claims,
        @Nullable TenantId defaultTenant) {

    public TokenSettings {
        if (audience.isBlank()) {
            throw new IllegalArgumentException(
                    "The audience of tokens must not be empty; set it to the name of this server.");
        }
    }

    /** How signatures are checked. */
    public sealed interface Trust {}

    /**
     * Tokens signed with HS256 and a secret shared with the issuer.
     *
     * @param issuer the required issuer; {@code null} for any
     */
    public record Secret(String secret, @Nullable String issuer) implements Trust {
        private static final int MIN_SECRET_BYTES = 32;

        public Secret {
            if (secret.getBytes(StandardCharsets.UTF_8).length < MIN_SECRET_BYTES) {
                throw new IllegalArgumentException(
                        "The secret for tokens is too short: HS256 needs at least " + MIN_SECRET_BYTES + " bytes.");
            }
        }

        /** Leaves out the secret. */
        @Override
        public String toString() {
            return "Secret of " + issuer;
        }
    }

    /** Tokens of an issuer with published keys. */
    public record Issuer(String issuer, URI keys) implements Trust {
        private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

        public Issuer {
            if (issuer.isBlank()) {
                throw new IllegalArgumentException("The issuer of tokens must not be empty.");
            }
            boolean safe = "https".equals(keys.getScheme())
                    || ("http".equals(keys.getScheme()) && LOOPBACK.contains(String.valueOf(keys.getHost())));
            if (!safe || keys.getHost() == null) {
                throw new IllegalArgumentException("The address of the issuer's keys must be an https URL: " + keys);
            }
        }
    }

    /** The names of the claims; without the agent claim, the subject is the agent's id. */
    public record ClaimNames(String tenant, String role, String agent) {
        public static final ClaimNames DEFAULT = new ClaimNames("tenant", "role", "agent_id");
    }
}
