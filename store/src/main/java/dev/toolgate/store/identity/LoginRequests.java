package dev.toolgate.store.identity;

import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.connection.Timestamps;
import java.net.URI;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/**
 * Log-ins that browsers have begun at a provider. Beginning one needs no authentication, so their number is limited.
 */
public final class LoginRequests {
    private static final int MAX_PER_NETWORK = 500;
    private static final int MAX = 50_000;

    private final Statements statements;

    public LoginRequests(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Stores a log-in that was begun; deletes expired ones, and the oldest beyond the limits per network and in total.
     */
    public void begin(LoginRequest request) {
        statements.<Integer>inTransaction(handle -> {
            handle.createUpdate("DELETE FROM login_requests WHERE expires_at < now()")
                    .execute();
            handle.createUpdate("""
                            DELETE FROM login_requests WHERE state_hash IN (
                                (SELECT state_hash FROM login_requests WHERE network = :network
                                 ORDER BY expires_at DESC OFFSET :perNetwork)
                                UNION ALL
                                (SELECT state_hash FROM login_requests ORDER BY expires_at DESC OFFSET :max))""")
                    .bind("network", request.network())
                    .bind("perNetwork", MAX_PER_NETWORK - 1)
                    .bind("max", MAX - 1)
                    .execute();
            return handle.createUpdate("""
                            INSERT INTO login_requests (state_hash, browser_hash, network, issuer, client_id, redirect_uri,
                                return_to, expires_at)
                            VALUES (:state, :browser, :network, :issuer, :client, :redirect, :return, :expires)""")
                    .bind("state", request.state().bytes())
                    .bind("browser", request.browser().bytes())
                    .bind("network", request.network())
                    .bind("issuer", request.issuer())
                    .bind("client", request.clientId())
                    .bind("redirect", request.redirectUri().toString())
                    .bind("return", request.returnTo())
                    .bind("expires", request.expiresAt().atOffset(ZoneOffset.UTC))
                    .execute();
        });
    }

    /** Removes and returns a log-in that was begun in this browser; it can be used once, and only by this browser. */
    public Optional<LoginRequest> take(SecretDigest state, SecretDigest browser) {
        return statements.run(handle -> handle.createQuery("""
                        DELETE FROM login_requests
                        WHERE state_hash = :state AND browser_hash = :browser AND expires_at > now()
                        RETURNING network, issuer, client_id, redirect_uri, return_to, expires_at""")
                .bind("state", state.bytes())
                .bind("browser", browser.bytes())
                .map((row, _) -> new LoginRequest(
                        state,
                        browser,
                        row.getString("network"),
                        row.getString("issuer"),
                        row.getString("client_id"),
                        URI.create(row.getString("redirect_uri")),
                        row.getString("return_to"),
                        Timestamps.read(row, "expires_at")))
                .findOne());
    }
}
