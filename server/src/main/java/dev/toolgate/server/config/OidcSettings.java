package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Log-ins of people through one OpenID Connect provider. */
public record OidcSettings(
        @Setting("The issuer URL of the provider, exactly as in its metadata; people log in with keys only if not set.")
        @Nullable
        String issuer,

        @Setting("The OAuth client id of this server at the provider.") @Nullable
        String clientId,

        @Setting(
                value = "The OAuth client secret of this server; a public client if not set.",
                env = "TOOLGATE_OIDC_CLIENT_SECRET",
                minLength = 8)
        @Nullable
        Secret clientSecret,

        @Setting(value = "The scopes to request; openid is always requested.", defaultValue = "openid,profile,email")
        List<String> scopes,

        @Setting(value = "The claim that lists the groups of a person.", defaultValue = "groups", minLength = 1)
        String groupsClaim,

        @Setting(
                value = "The claim that names a person in records; people without it are refused.",
                defaultValue = "email",
                minLength = 1)
        String nameClaim,

        @Setting("The roles of groups; the first group that a person is in applies, and people in none are refused.")
        List<GroupRole> roles) {

    public OidcSettings {
        scopes = List.copyOf(scopes);
        roles = List.copyOf(roles);
        if (issuer == null && (clientId != null || clientSecret != null || !roles.isEmpty())) {
            throw new IllegalArgumentException("issuer: must be set together with the rest of the provider");
        }
        if (issuer != null && clientId == null) {
            throw new IllegalArgumentException("client_id: must be set together with issuer");
        }
        if (issuer != null && roles.isEmpty()) {
            throw new IllegalArgumentException("roles: must not be empty, because nobody could log in");
        }
    }

    /** The role of a group. */
    public record GroupRole(
            @Setting(value = "The group, as the provider names it.", minLength = 1)
            String group,

            @Setting("The role of its members.") PersonRole role,

            @Setting(value = "The tenant that its members belong to.", defaultValue = "default", minLength = 1)
            String tenant,

            @Setting("The agents that its members chat as; for the role user.")
            List<String> agents) {

        public GroupRole {
            agents = List.copyOf(agents);
            if ((role == PersonRole.USER) == agents.isEmpty()) {
                throw new IllegalArgumentException("agents: must be set for the role user, and for no other role");
            }
        }
    }

    /** The roles that people can have; the other roles are for programs. */
    public enum PersonRole {
        ADMIN,
        OPERATOR,
        AUDITOR,
        USER
    }
}
