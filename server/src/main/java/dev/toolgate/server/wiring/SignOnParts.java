package dev.toolgate.server.wiring;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.JdkHttpExchanger;
import dev.toolgate.mcp.client.oauth.ClientAuthentication;
import dev.toolgate.mcp.client.oauth.OpenIdClient;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.server.config.OidcSettings;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.config.Secret;
import dev.toolgate.server.identity.ConsoleLogins;
import dev.toolgate.server.identity.FailureDelay;
import dev.toolgate.server.identity.GroupRoles;
import dev.toolgate.server.identity.SingleSignOn;
import dev.toolgate.store.Database;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.identity.LoginRequests;
import dev.toolgate.store.identity.People;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Wires log-ins of people through a provider. */
final class SignOnParts {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private SignOnParts() {}

    /** The roles of groups. */
    static GroupRoles roles(OidcSettings settings) {
        if (settings.issuer() == null) {
            return GroupRoles.NONE;
        }
        return new GroupRoles(
                settings.issuer(),
                settings.roles().stream()
                        .map(entry -> new GroupRoles.Entry(
                                entry.group(),
                                new TenantId(entry.tenant()),
                                role(entry.role()),
                                entry.agents().stream().map(AgentId::new).collect(Collectors.toSet())))
                        .toList());
    }

    private static Role role(OidcSettings.PersonRole role) {
        return switch (role) {
            case ADMIN -> Role.ADMIN;
            case OPERATOR -> Role.OPERATOR;
            case AUDITOR -> Role.AUDITOR;
            case USER -> Role.USER;
        };
    }

    /** The provider; null if none is configured. It gets no request before the first log-in. */
    static @Nullable SingleSignOn of(
            OidcSettings settings,
            GroupRoles roles,
            Database database,
            ConsoleLogins logins,
            PublicAddress address,
            FailureDelay delay,
            InstantSource clock) {
        String issuer = settings.issuer();
        if (issuer == null) {
            return null;
        }
        try {
            EndpointCheck.LOOPBACK_WITHOUT_TLS.require("issuer", issuer);
        } catch (McpFailure unusable) {
            throw new IllegalArgumentException("auth.oidc.issuer: " + unusable.getMessage(), unusable);
        }
        String id = Objects.requireNonNull(settings.clientId());
        Secret secret = settings.clientSecret();
        JdkHttpExchanger connections = new JdkHttpExchanger(CONNECT_TIMEOUT);
        OpenIdClient client = new OpenIdClient(
                issuer,
                secret == null
                        ? new ClientAuthentication.Public(id)
                        : new ClientAuthentication.Secret(id, secret.value()),
                EndpointCheck.LOOPBACK_WITHOUT_TLS,
                connections,
                clock.withZone(ZoneOffset.UTC));
        Set<String> scopes = new LinkedHashSet<>(List.of("openid"));
        scopes.addAll(settings.scopes());
        return new SingleSignOn(
                new SingleSignOn.Provider(client, scopes, settings.groupsClaim(), settings.nameClaim(), connections),
                roles,
                new Tenants(database.jdbi())::exists,
                new LoginRequests(database.jdbi()),
                new People(database.jdbi()),
                logins,
                address,
                delay,
                clock);
    }
}
