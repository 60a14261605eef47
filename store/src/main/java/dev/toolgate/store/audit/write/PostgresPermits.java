package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.audit.Permits;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.batch.BatchPace;
import dev.toolgate.store.batch.SharedReads;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Permits in PostgreSQL: those that this instance granted recently are cached, others are read in batches for
 * concurrent callers.
 * {@link PermitRows} begins and ends them.
 */
public final class PostgresPermits implements Permits {
    private static final String FIND = """
            SELECT wanted.place, found.*
            FROM unnest(:tenants::text[], :requests::text[], :agents::text[]) WITH ORDINALITY
                AS wanted (tenant_id, request_id, agent_id, place)
            CROSS JOIN LATERAL (
                SELECT k.agent_id AS key_agent, encode(k.body_digest, 'hex') AS key_digest, k.permit_until AS key_until,
                    k.completed_at < k.permit_until AS reported,
                    k.completed_at IS NULL AND k.permit_until > now() AND t.request_id IS NOT NULL AS open, t.*
                FROM request_keys k
                LEFT JOIN tool_intents t ON t.tenant_id = k.tenant_id AND t.agent_id = k.agent_id
                    AND t.request_id = k.request_id AND t.permit_until IS NOT NULL
                WHERE k.tenant_id = wanted.tenant_id AND k.request_id = wanted.request_id AND k.permit_until IS NOT NULL
                  AND (wanted.agent_id IS NULL OR k.agent_id = wanted.agent_id)
                ORDER BY k.agent_id LIMIT 100) AS found
            ORDER BY wanted.place, key_agent""";

    // Reads the open permits of a tenant, which are few, in the index of permits.
    private static final String OPEN = """
            SELECT k.agent_id AS key_agent, encode(k.body_digest, 'hex') AS key_digest, k.permit_until AS key_until, t.*
            FROM tool_intents t
            JOIN request_keys k ON k.tenant_id = t.tenant_id AND k.agent_id = t.agent_id AND k.request_id = t.request_id
            WHERE t.tenant_id = :tenant AND t.agent_id = :agent AND t.tool_call_id = :call AND t.permit_until IS NOT NULL
              AND k.completed_at IS NULL AND k.permit_until > now()
            ORDER BY t."timestamp" LIMIT 10""";

    private final Statements statements;
    private final RecentPermits recent;
    private final InstantSource clock;
    private final SharedReads<Wanted, List<Found>> reads = new SharedReads<>(BatchPace.unlimited(), this::find);

    /**
     * @param recent the permits of this instance
     */
    public PostgresPermits(Jdbi jdbi, RecentPermits recent, InstantSource clock) {
        this.statements = new Statements(jdbi);
        this.recent = recent;
        this.clock = clock;
    }

    private record Wanted(
            TenantId tenant, RequestId request, @Nullable AgentId agent) {}

    @Override
    public List<Found> find(TenantId tenant, RequestId request, @Nullable AgentId agent) {
        OpenPermit known =
                agent == null ? null : recent.take(tenant, agent, request).orElse(null);
        return known != null && clock.instant().isBefore(known.until())
                ? List.of(new Found.Open(known))
                : reads.read(new Wanted(tenant, request, agent)).orElseGet(List::of);
    }

    private Map<Wanted, List<Found>> find(Collection<Wanted> keys) {
        List<Wanted> wanted = List.copyOf(keys);
        Map<Wanted, List<Found>> all = new HashMap<>();
        statements.<@Nullable Void>run(handle -> {
            handle.createQuery(FIND)
                    .bindArray("tenants", String.class, texts(wanted, one -> one.tenant()
                            .value()))
                    .bindArray("requests", String.class, texts(wanted, one -> one.request()
                            .value()))
                    .bindArray(
                            "agents",
                            String.class,
                            texts(
                                    wanted,
                                    one -> one.agent() == null
                                            ? null
                                            : one.agent().value()))
                    .map((row, _) -> {
                        Wanted one = wanted.get(row.getInt("place") - 1); // places begin with 1
                        return Map.entry(one, found(row, one.tenant(), one.request()));
                    })
                    .forEach(entry -> all.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>())
                            .add(entry.getValue()));
            return null;
        });
        return all;
    }

    private static Object[] texts(List<Wanted> wanted, Function<Wanted, @Nullable String> text) {
        return wanted.stream().map(text).toArray();
    }

    @Override
    public List<OpenPermit> open(TenantId tenant, AgentId agent, String toolCallId) {
        return statements.run(handle -> handle.createQuery(OPEN)
                .bind("tenant", tenant.value())
                .bind("agent", agent.value())
                .bind("call", toolCallId)
                .map((row, _) -> open(row, tenant, agent, new RequestId(row.getString("request_id"))))
                .list());
    }

    private static Found found(ResultSet row, TenantId tenant, RequestId request) throws SQLException {
        AgentId agent = new AgentId(row.getString("key_agent"));
        Instant until = Timestamps.read(row, "key_until");
        if (row.getBoolean("open")) {
            return new Found.Open(open(row, tenant, agent, request));
        }
        return row.getBoolean("reported") ? new Found.Reported(agent) : new Found.Expired(agent, until);
    }

    private static OpenPermit open(ResultSet row, TenantId tenant, AgentId agent, RequestId request)
            throws SQLException {
        CallFacts facts = IntentRows.facts(row);
        RequestKey key = new RequestKey(tenant, agent, request, row.getString("key_digest"));
        Instant until = Timestamps.read(row, "key_until");
        return new OpenPermit(facts.intent(), key, facts.approval(), until);
    }
}
