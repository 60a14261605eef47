package dev.toolgate.server.admin.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.identity.Role;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.config.KeyLifetime;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.Expiry;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.Urls;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.NewKey;
import dev.toolgate.store.identity.Rotation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes to administer the keys of a tenant. A new key always belongs to the tenant of its creator. */
public final class KeyRoutes {
    private static final String ALL = "/api/v1/keys";
    private static final String ONE = ALL + "/{key_id}";
    private static final String KEYS = "keys";
    private static final Duration DEFAULT_OVERLAP = Duration.ofDays(1);
    private static final RouteAccess MANAGE = RouteAccess.needs(Right.MANAGE_KEYS);

    private final JsonRecord<WantedKey> wantedKey = JsonRecord.of(WantedKey.class);
    private final JsonRecord<WantedRotation> wantedRotation = JsonRecord.of(WantedRotation.class);
    private final ApiKeys keys;
    private final KeyLifetime lifetime;
    private final Administration administration;
    private final InstantSource clock;

    /**
     * @param lifetime the default lifetime of a new key
     */
    public KeyRoutes(ApiKeys keys, KeyLifetime lifetime, Administration administration, InstantSource clock) {
        this.keys = keys;
        this.lifetime = lifetime;
        this.administration = administration;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, MANAGE, Dialect.STANDARD, this::list).withQuery("limit", "after"),
                Route.post(ALL, MANAGE, Dialect.STANDARD, administration.handler(KEYS, "create", this::create))
                        .withQuery(Authors.REASON),
                Route.get(ONE, MANAGE, Dialect.STANDARD, this::show),
                Route.post(
                                ONE + "/rotate",
                                MANAGE,
                                Dialect.STANDARD,
                                administration.handler(KEYS, "rotate", this::rotate))
                        .withQuery(Authors.REASON),
                Route.delete(ONE, MANAGE, Dialect.STANDARD, administration.handler(KEYS, "revoke", this::revoke))
                        .withQuery(Authors.REASON));
    }

    private Response list(Exchange exchange) {
        TenantId tenant = exchange.principal().tenant();
        Page page = Page.of(exchange);
        UUID after = page.after(text -> entry(tenant, text));
        return page.answer(
                ALL,
                keys.list(tenant, after, page.limitPlusOne()),
                key -> key.id().toString(),
                this::answer);
    }

    /** The key a page continues after; it must still exist, because its position comes from its row. */
    private UUID entry(TenantId tenant, String text) {
        UUID id = PathIds.uuid(text)
                .orElseThrow(() -> new BadRequest("The query parameter 'after' must be the id of a key."));
        return keys.find(tenant, id)
                .orElseThrow(() ->
                        HttpFailure.conflict("The key in 'after' no longer exists; begin with the first page again."))
                .id();
    }

    private Response create(Exchange exchange, Change change) {
        WantedKey wanted = exchange.json(wantedKey);
        Principal principal = exchange.principal();
        Instant expires = expiry(wanted.expiresAt(), wanted.expiresIn());
        if (wanted.agents() != null && wanted.agents().isEmpty() && wanted.role() != Role.USER) {
            throw new BadRequest(
                    "Field 'agents' must name at least one agent; leave it out for other roles than user.");
        }
        change.because(Authors.of(exchange).reason()).begin(null);
        CreatedKey made = FailureMapping.unknownAsConflict(() -> keys.create(new NewKey(
                principal.tenant(),
                wanted.role().wireName(),
                wanted.agentId(),
                wanted.agents() == null ? Set.of() : Set.copyOf(wanted.agents()),
                wanted.name() == null ? "" : wanted.name(),
                expires,
                principal.name())));
        change.about("key_id", made.key().id().toString()).changedTo(answer(made.key()));
        return new Response.Json(
                201,
                new MadeKeyAnswer(made.text(), answer(made.key())),
                Map.of("Location", Urls.of(ALL, made.key().id().toString())));
    }

    /** When a key expires; the setting's default if the request gives neither time. */
    private @Nullable Instant expiry(@Nullable Instant at, @Nullable String in) {
        Instant now = clock.instant();
        if (in != null) {
            return in.equals(KeyLifetime.NEVER) ? null : Expiry.in(in, now);
        }
        return at == null ? lifetime.from(now) : Expiry.at(at, now);
    }

    private Response rotate(Exchange exchange, Change change) {
        WantedRotation wanted = exchange.json(wantedRotation);
        UUID id = PathIds.key(exchange.path("key_id"));
        Principal principal = exchange.principal();
        Duration overlap = wanted.overlap() == null ? DEFAULT_OVERLAP : Expiry.overlap(wanted.overlap());
        Instant expires = expiry(wanted.expiresAt(), wanted.expiresIn());
        change.because(Authors.of(exchange).reason())
                .begin(keys.find(principal.tenant(), id).map(this::answer).orElse(null));
        return switch (keys.rotate(principal.tenant(), id, overlap, expires, principal.name())) {
            case Rotation.Done done -> {
                KeyAnswer made = answer(done.made().key());
                change.changedTo(List.of(answer(done.old()), made));
                yield new Response.Json(
                        201,
                        new RotatedKeyAnswer(done.made().text(), done.old().expiresAt(), made),
                        Map.of("Location", Urls.of(ALL, done.made().key().id().toString())));
            }
            case Rotation.AlreadyReplaced _ ->
                throw HttpFailure.conflict(
                        "This key has been rotated already; rotate the key that replaced it, or revoke that one"
                                + " first.");
            case Rotation.NotPossible _ ->
                throw HttpFailure.notFound(
                        "There is no valid key with this id that was created through the API; replace the admin key"
                                + " of the setting or the data folder there.");
        };
    }

    private Response show(Exchange exchange) {
        UUID id = PathIds.key(exchange.path("key_id"));
        return Response.json(answer(keys.find(exchange.principal().tenant(), id).orElseThrow(PathIds::noKey)));
    }

    private Response revoke(Exchange exchange, Change change) {
        UUID id = PathIds.key(exchange.path("key_id"));
        Principal principal = exchange.principal();
        change.because(Authors.of(exchange).reason())
                .begin(keys.find(principal.tenant(), id).map(this::answer).orElse(null));
        return switch (keys.revokeUnlessLastAdmin(principal.tenant(), id, principal.name())) {
            case DONE -> {
                keys.find(principal.tenant(), id).map(this::answer).ifPresent(change::changedTo);
                yield Response.empty();
            }
            case NOT_FOUND -> throw HttpFailure.notFound("There is no valid key with this id.");
            case LAST_ADMIN ->
                throw HttpFailure.conflict(
                        "This is the last admin key of this tenant; create another admin key first.");
        };
    }

    private KeyAnswer answer(ApiKey key) {
        return KeyAnswer.of(key, clock.instant());
    }

    /**
     * @param agentId the key's agent; for the role agent only
     * @param agents the agents a person may chat as; for the role user only
     * @param expiresIn for example {@code 90d}, or {@code never}; instead of {@code expiresAt}
     */
    record WantedKey(
            Role role,
            @Nullable AgentId agentId,
            @Nullable List<AgentId> agents,
            @Nullable String name,
            @Nullable Instant expiresAt,
            @Nullable String expiresIn) {
        WantedKey {
            requireOne(expiresAt, expiresIn);
        }
    }

    /**
     * @param overlap how long the old key stays valid, for example {@code 12h}; a day if left out
     */
    record WantedRotation(
            @Nullable String overlap,
            @Nullable Instant expiresAt,
            @Nullable String expiresIn) {
        WantedRotation {
            requireOne(expiresAt, expiresIn);
        }
    }

    private static void requireOne(@Nullable Instant expiresAt, @Nullable String expiresIn) {
        if (expiresAt != null && expiresIn != null) {
            throw new IllegalArgumentException("Give either 'expires_at' or 'expires_in', not both.");
        }
    }
}
