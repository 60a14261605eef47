package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of authentication. */
public record AuthSettings(
        @Setting(
                value = "The key of the first admin; generated in the data folder if not set.",
                env = "TOOLGATE_ADMIN_KEY",
                minLength = 16)
        @Nullable
        Secret adminKey,

        @Setting("Keys created through the API.") Keys keys,
        @Setting("JSON Web Tokens of another issuer.") Jwt jwt,

        @Setting("Log-ins of people through an OpenID Connect provider.")
        OidcSettings oidc,

        @Setting("Log-ins to the web console.") Console console,

        @Setting(
                value =
                        "The key that encrypts the tokens of accounts at MCP servers; generated in the data folder if not"
                                + " set. Servers on one database need the same key.",
                env = "TOOLGATE_ACCOUNT_KEY",
                minLength = 32)
        @Nullable
        Secret accountKey) {

    /** Keys created through the API. */
    public record Keys(
            @Setting(value = "The default lifetime of a new key, or never.", defaultValue = "365d")
            KeyLifetime expireAfter) {}

    /** Tokens of other issuers, signed with a shared secret or with the issuer's published keys. */
    public record Jwt(
            @Setting(value = "The shared secret of HS256 tokens.", env = "TOOLGATE_JWT_SECRET", minLength = 32)
            @Nullable
            Secret secret,

            @Setting("The required issuer of a token.") @Nullable
            String issuer,

            @Setting("The URL of the issuer's key set (JWKS).") @Nullable
            URI jwksUrl,

            @Setting(
                    value = "The required audience of a token, which names this server.",
                    defaultValue = "toolgate",
                    env = "TOOLGATE_JWT_AUDIENCE",
                    minLength = 1)
            String audience,

            @Setting(value = "The claim that names the tenant.", defaultValue = "tenant", minLength = 1)
            String tenantClaim,

            @Setting(value = "The claim that names the role.", defaultValue = "role", minLength = 1)
            String roleClaim,

            @Setting(value = "The claim that names the agent.", defaultValue = "agent_id", minLength = 1)
            String agentClaim) {}

    /** How long a person stays logged in to the console. */
    public record Console(
            @Setting(
                    value = "A log-in ends after this long without use.",
                    defaultValue = "30m",
                    min = "1m",
                    max = "30d")
            Duration idle,

            @Setting(
                    value = "A log-in ends after this long in any case.",
                    defaultValue = "12h",
                    min = "1m",
                    max = "365d")
            Duration absolute,

            @Setting(
                    value = "Whether browsers send the cookie over HTTPS only; set it to true behind a TLS proxy.",
                    defaultValue = "false")
            boolean secureCookie) {}
}
