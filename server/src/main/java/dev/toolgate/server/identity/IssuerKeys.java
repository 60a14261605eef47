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
 * The published keys of an issuer, cached for some minutes. A token with an unknown key id triggers an extra fetch, but
 * at a limited rate, because anyone can make up such tokens. The limit of extra fetches is separate from the regular
 * refresh, so that exhausting it locks nobody out.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    /** How long cached keys are used while the issuer is unreachable. */
    private static final Duration MAX_STALE_AGE = Duration.ofMinutes(15);

    private static final Duration MIN_BETWEEN_EXTRA_FETCHES = Duration.ofSeconds(30);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);
    private static final long LOCK_TIMEOUT_MS = 4000;

    private final ReentrantLock fetching = new ReentrantLock();
    private final KeySetDownload download;
    private final InstantSource clock;
    private volatile @Nullable Fetched last;
    private volatile Instant lastExtraFetch = Instant.EPOCH;
    private volatile Instant lastFailure = Instant.EPOCH;

    IssuerKeys(KeySetDownload download, InstantSource clock) {
        this.download = download;
        this.clock = clock;
    }

    /**
     * @throws Unavailable if the keys cannot be fetched
     */
    @Override
    public List<JWK> get(JWKSelector wanted, @Nullable SecurityContext context) {
        Fetched known = current();
        List<JWK> found = wanted.select(known.keys());
        return found.isEmpty() && mayFetchAgain()
                ? wanted.select(newerThan(known).keys())
                : found;
    }

    private Fetched current() {
        Fetched known = last;
        return known != null && isYounger(known, MAX_AGE) ? known : newerThan(known);
    }

    /** One thread fetches for all waiting threads. */
    private Fetched newerThan(@Nullable Fetched known) {
        acquireFetchLock();
        try {
            Fetched latest = last;
            if (latest != null && !latest.equals(known)) {
                return latest;
            }
            return lastFailure.plus(RETRY_DELAY).isAfter(clock.instant()) ? orCached(null) : fetch();
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
            return orCached(failed);
        }
    }

    private Fetched orCached(@Nullable IOException failed) {
        Fetched known = last;
        if (known != null && isYounger(known, MAX_STALE_AGE)) {
            return known;
        }
        throw new Unavailable("The keys of the token issuer cannot be fetched; try again shortly.", failed);
    }

    private synchronized boolean mayFetchAgain() {
        Instant now = clock.instant();
        if (lastExtraFetch.isAfter(now.minus(MIN_BETWEEN_EXTRA_FETCHES))) {
            return false;
        }
        lastExtraFetch = now;
        return true;
    }

    private boolean isYounger(Fetched known, Duration age) {
        return known.at().plus(age).isAfter(clock.instant());
    }

    private void acquireFetchLock() {
        try {
            if (!fetching.tryLock(LOCK_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                throw new Unavailable(
                        "The keys of the token issuer were not fetched in time; try again shortly.", null);
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The request was interrupted while its token was checked.", interrupt);
        }
    }

    private record Fetched(JWKSet keys, Instant at) {}
}
