package dev.toolgate.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.server.identity.TokenCheck.NotAccepted;
import dev.toolgate.store.identity.SecretDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Authenticates JSON Web Tokens. An accepted token is cached for a minute, because checking a signature costs more than
 * the rest of a call; so a key that the issuer withdraws stays valid that much longer.
 */
public final class TokenAuthenticator implements AutoCloseable {
    private static final Duration CACHE_TIME = Duration.ofMinutes(1);
    private static final int MAX_REMEMBERED = 10_000;
    private static final int MAX_LENGTH = 8192;

    private final Map<SecretDigest, Accepted> accepted = new ConcurrentHashMap<>();
    private final TokenCheck check;
    private final TokenBearer bearer;
    private final FailureDelay delay;
    private final InstantSource clock;

    /**
     * @param exists whether a tenant exists
     */
    public TokenAuthenticator(
            TokenSettings settings, Predicate<TenantId> exists, FailureDelay delay, InstantSource clock) {
        this.check = new TokenCheck(settings, clock);
        this.bearer = new TokenBearer(settings, exists);
        this.delay = delay;
        this.clock = clock;
    }

    /** Identifies the bearer of a token. */
    Identity identify(Bearer.Token token, String remoteAddress) {
        SecretDigest digest = SecretDigest.of(token.text());
        Accepted known = accepted.get(digest);
        return known != null && clock.instant().isBefore(known.until())
                ? new Identity.Known(known.principal())
                : delay.counted("token", remoteAddress, judge(token.text(), digest));
    }

    private Identity judge(String token, SecretDigest digest) {
        if (token.length() > MAX_LENGTH) {
            return new Identity.Unknown("The token is longer than " + MAX_LENGTH + " characters.");
        }
        try {
            JWTClaimsSet claims = check.check(token);
            Principal principal = bearer.of(claims);
            remember(digest, principal, claims.getExpirationTime().toInstant());
            return new Identity.Known(principal);
        } catch (NotAccepted refused) {
            return new Identity.Unknown(refused.reason());
        }
    }

    private void remember(SecretDigest digest, Principal principal, Instant expires) {
        Instant until = clock.instant().plus(CACHE_TIME);
        if (accepted.size() >= MAX_REMEMBERED) {
            accepted.clear(); // rare; tokens are checked again
        }
        accepted.put(digest, new Accepted(principal, expires.isBefore(until) ? expires : until));
    }

    @Override
    public void close() {
        check.close();
    }

    private record Accepted(Principal principal, Instant until) {}
}
