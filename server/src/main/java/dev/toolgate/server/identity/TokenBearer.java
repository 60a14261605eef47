package dev.toolgate.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.identity.TokenCheck.NotAccepted;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the principal from the claims of a verified token. */
final class TokenBearer {
    private static final int MAX_NAME = 90;

    private final TokenSettings settings;
    private final Predicate<TenantId> exists;

    TokenBearer(TokenSettings settings, Predicate<TenantId> exists) {
        this.settings = settings;
        this.exists = exists;
    }

    Principal of(JWTClaimsSet token) throws NotAccepted {
        Role role = role(token);
        @Nullable String subject = text(token, "sub");
        @Nullable String agent = text(token, settings.claims().agent());
        @Nullable String name = subject == null && role != Role.USER ? agent : subject;
        if (name == null || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new NotAccepted(
                    "The token has no valid subject: 'sub' must be 1 to " + MAX_NAME + " printable characters.");
        }
        return new Principal(
                tenant(token),
                role,
                "token:" + name,
                role == Role.AGENT ? agent(agent == null ? name : agent) : null,
                role == Role.USER ? agents(token) : Set.of());
    }

    /** The agents a person may chat as: a list of ids or one id. */
    private Set<AgentId> agents(JWTClaimsSet token) throws NotAccepted {
        String claim = settings.claims().agent();
        List<?> named =
                token.getClaim(claim) instanceof List<?> list ? list : Collections.singletonList(token.getClaim(claim));
        Set<AgentId> agents = new HashSet<>();
        for (Object one : named) {
            if (!(one instanceof String id)) {
                throw new NotAccepted("The token names no agents: with the role user, its claim '" + claim
                        + "' must list agent ids.");
            }
            agents.add(agent(id));
        }
        return agents;
    }

    private Role role(JWTClaimsSet token) throws NotAccepted {
        String claim = settings.claims().role();
        @Nullable String role = text(token, claim);
        return Role.of(String.valueOf(role))
                .orElseThrow(() -> new NotAccepted("The token has no valid role in its claim '" + claim
                        + "', which must be one of " + Role.wireNames() + "."));
    }

    // The same message for an unknown tenant and a malformed one.
    private TenantId tenant(JWTClaimsSet token) throws NotAccepted {
        String claim = settings.claims().tenant();
        @Nullable String named = text(token, claim);
        if (named == null && token.getClaim(claim) == null && settings.defaultTenant() != null) {
            return settings.defaultTenant();
        }
        if (named != null && isTenant(named)) {
            return new TenantId(named);
        }
        throw new NotAccepted("The token names no tenant of this server in its claim '" + claim + "'.");
    }

    private boolean isTenant(String named) {
        try {
            return exists.test(new TenantId(named));
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static AgentId agent(String id) throws NotAccepted {
        try {
            return new AgentId(id);
        } catch (IllegalArgumentException malformed) {
            throw new NotAccepted("The token has no valid agent id: " + malformed.getMessage());
        }
    }

    /** A claim as a text; a list of one text is accepted too, because some issuers always send lists. */
    private static @Nullable String text(JWTClaimsSet token, String claim) {
        Object value = token.getClaim(claim);
        if (value instanceof List<?> list && list.size() == 1) {
            value = list.getFirst();
        }
        return value instanceof String text && !text.isBlank() ? text : null;
    }
}
