package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How callers show who they are. */
public record AuthSettings(
        @Setting(
                value = "The key of the first admin; made and saved in the data folder if not set.",
                env = "TOOLGATE_ADMIN_KEY",
                shortest = 16)
        @Nullable
        Secret adminKey,

        @Setting("Keys that admins make.") Keys keys,
        @Setting("Tokens of another issuer.") Jwt jwt,
        @Setting("Sessions of people at the web console.") Console console) {

    /** Keys that are made through the API. */
    public record Keys(
            @Setting(value = "How long a new key counts for which nobody says it; never is possible.", initial = "365d")
            KeyLifetime expireAfter) {}

    /** Tokens that others issue: signed with a shared secret, or with keys that the issuer publishes. */
    public record Jwt(
            @Setting(value = "The shared secret of HS256 tokens.", env = "TOOLGATE_JWT_SECRET", shortest = 32) @Nullable
            Secret secret,

            @Setting("Who must have issued a token.") @Nullable
            String issuer,

            @Setting("Where the issuer publishes its keys.") @Nullable
            URI jwksUrl,

            @Setting(
                    value = "Whom a token must be meant for, which is this server.",
                    initial = "toolgate",
                    env = "TOOLGATE_JWT_AUDIENCE",
                    shortest = 1)
            String audience,

            @Setting(value = "The claim that names the tenant.", initial = "tenant", shortest = 1)
            String tenantClaim,

            @Setting(value = "The claim that names the role.", initial = "role", shortest = 1)
            String roleClaim,

            @Setting(value = "The claim that names the agent.", initial = "agent_id", shortest = 1)
            String agentClaim) {}

    /** How long a person stays logged in. */
    public record Console(
            @Setting(value = "A session ends when unused for this long.", initial = "30m", least = "1m", most = "30d")
            Duration idle,

            @Setting(
                    value = "A session ends after this long in any case.",
                    initial = "12h",
                    least = "1m",
                    most = "365d")
            Duration absolute,

            @Setting(
                    value = "Whether browsers send the cookie over HTTPS only; set it behind a TLS proxy.",
                    initial = "false")
            boolean secureCookie) {}
}
