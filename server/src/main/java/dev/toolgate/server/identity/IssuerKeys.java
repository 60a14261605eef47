package dev.toolgate.server.identity;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.toolgate.core.call.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer, as it published them some minutes ago at most. A token of a key that is not
 * among them makes us look again, but not often: a stranger can make up such tokens. That allowance is
 * apart from the regular look, so that using it up keeps nobody out.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
    private static final Duration FRESH = Duration.ofMinutes(5);
    /** While the issuer cannot be reached, its keys count for so long. */
    private static final Duration USABLE = Duration.ofMinutes(15);

    private static final Duration BETWEEN_EXTRA_LOOKS = Duration.ofSeconds(30);
    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(2);
    private static final long PATIENCE_MS = 4000;

    private final ReentrantLock fetching = new ReentrantLock();
    private final KeySetDownload download;
    private final InstantSource clock;
    private volatile @Nullable Fetched last;
    private volatile Instant lastExtraLook = Instant.EPOCH;
    private volatile Instant lastFailure = Instant.EPOCH;

    IssuerKeys(KeySetDownload download, InstantSource clock) {
        this.download = download;
        this.clock = clock;
    }

    /**
     * @throws Unavailable if the issuer cannot be asked
     */
    @Override
    public List<JWK> get(JWKSelector wanted, @Nullable SecurityContext context) {
        Fetched known = current();
        List<JWK> found = wanted.select(known.keys());
        return found.isEmpty() && mayLookAgain()
                ? wanted.select(newerThan(known).keys())
                : found;
    }

    private Fetched current() {
        Fetched known = last;
        return known != null && isYounger(known, FRESH) ? known : newerThan(known);
    }

    /** One fetches for all who wait. */
    private Fetched newerThan(@Nullable Fetched known) {
        takeTurn();
        try {
            Fetched meanwhile = last;
            if (meanwhile != null && !meanwhile.equals(known)) {
                return meanwhile;
            }
            return lastFailure.plus(REST_AFTER_FAILURE).isAfter(clock.instant()) ? orOld(null) : fetch();
        } finally {
            fetching.unlock();
        }
    }

    private Fetched fetch() {
        Instant askedAt = clock.instant();
        try {
            Fetched fetched = new Fetched(download.fetch(), askedAt);
            last = fetched;
            return fetched;
        } catch (IOException failed) {
            lastFailure = clock.instant();
            return orOld(failed);
        }
    }

    private Fetched orOld(@Nullable IOException failed) {
        Fetched known = last;
        if (known != null && isYounger(known, USABLE)) {
            return known;
        }
        throw new Unavailable("The keys of the tokens' issuer cannot be fetched now; try again shortly.", failed);
    }

    private synchronized boolean mayLookAgain() {
        Instant now = clock.instant();
        if (lastExtraLook.isAfter(now.minus(BETWEEN_EXTRA_LOOKS))) {
            return false;
        }
        lastExtraLook = now;
        return true;
    }

    private boolean isYounger(Fetched known, Duration age) {
        return known.at().plus(age).isAfter(clock.instant());
    }

    private void takeTurn() {
        try {
            if (!fetching.tryLock(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                throw new Unavailable("The keys of the tokens' issuer are not here in time; try again shortly.", null);
            }
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was interrupted while its token was checked.", hostWantsItsThread);
        }
    }

    private record Fetched(JWKSet keys, Instant at) {}
}
