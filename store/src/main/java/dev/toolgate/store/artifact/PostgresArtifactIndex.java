package dev.toolgate.store.artifact;

import dev.toolgate.core.artifact.ArtifactIndex;
import dev.toolgate.core.artifact.ArtifactPosition;
import dev.toolgate.core.artifact.ArtifactRefused;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.store.connection.Statements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * The artifact index in PostgreSQL. Inserts and deletes lock the tenant's usage row before its content rows, and
 * tenants always in the same order, to avoid deadlocks.
 */
public final class PostgresArtifactIndex implements ArtifactIndex {
    private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59Z");

    private final Statements statements;
    private final InsertBatcher inserts;

    public PostgresArtifactIndex(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
        this.inserts = new InsertBatcher(this::write);
    }

    @Override
    public String add(TenantId tenant, StoredArtifact artifact, String place, long quota) throws ArtifactRefused {
        String kept = artifact.size() > quota
                ? null
                : inserts.add(new InsertBatcher.PendingInsert(tenant, artifact, place, quota));
        if (kept == null) {
            throw ArtifactRefused.overQuota(quota);
        }
        return kept;
    }

    private void write(List<InsertBatcher.PendingInsert> batch) {
        List<@Nullable String> places = statements.inTransaction(handle -> {
            List<@Nullable String> kept = new ArrayList<>();
            for (InsertBatcher.PendingInsert one : batch) {
                boolean fits = reserveQuota(handle, one.tenant, one.artifact.size(), one.quota);
                kept.add(fits ? addContent(handle, one.tenant, one.artifact, one.place) : null);
                if (fits) {
                    insert(handle, one.tenant, one.artifact);
                }
            }
            return kept;
        });
        for (int i = 0; i < places.size(); i++) {
            batch.get(i).kept = places.get(i); // set only after the commit
        }
    }

    private static String addContent(Handle handle, TenantId tenant, StoredArtifact artifact, String place) {
        return handle.createQuery("""
                        INSERT INTO artifact_contents AS c (tenant_id, sha256, place, size_bytes, artifacts)
                        VALUES (:tenant, decode(:sha256, 'hex'), :place, :size, 1)
                        ON CONFLICT (tenant_id, sha256) DO UPDATE SET artifacts = c.artifacts + 1
                        RETURNING place""")
                .bind("tenant", tenant.value())
                .bind("sha256", artifact.sha256())
                .bind("place", place)
                .bind("size", artifact.size())
                .mapTo(String.class)
                .one();
    }

    private static void insert(Handle handle, TenantId tenant, StoredArtifact artifact) {
        at(tenant, artifact.uri(), handle.createUpdate("""
                        INSERT INTO artifacts (tenant_id, workspace_id, artifact_id, agent_id, session_id, principal, request_id, type,
                            media_type, name, size_bytes, sha256, created_at)
                        VALUES (:tenant, :workspace, :id, :agent, :session, :principal, :request, :kind,
                            :mediaType, :name, :size, decode(:sha256, 'hex'), :createdAt)"""))
                .bind(
                        "agent",
                        artifact.agent() == null ? null : artifact.agent().value())
                .bind(
                        "session",
                        artifact.session() == null ? null : artifact.session().value())
                .bind("principal", artifact.principal())
                .bind(
                        "request",
                        artifact.request() == null ? null : artifact.request().value())
                .bind("kind", artifact.kind())
                .bind("mediaType", artifact.mediaType())
                .bind("name", artifact.name())
                .bind("size", artifact.size())
                .bind("sha256", artifact.sha256())
                .bind("createdAt", artifact.createdAt())
                .execute();
    }

    private static boolean reserveQuota(Handle handle, TenantId tenant, long size, long quota) {
        return handle.createUpdate("""
                        INSERT INTO artifact_usage AS u (tenant_id, size_bytes) VALUES (:tenant, :size)
                        ON CONFLICT (tenant_id) DO UPDATE SET size_bytes = u.size_bytes + excluded.size_bytes
                        WHERE u.size_bytes <= :quota - excluded.size_bytes""")
                        .bind("tenant", tenant.value())
                        .bind("size", size)
                        .bind("quota", quota)
                        .execute()
                > 0;
    }

    @Override
    public Optional<Row> find(TenantId tenant, ArtifactUri uri) {
        return statements.run(
                handle -> at(tenant, uri, handle.createQuery("SELECT place, " + ArtifactRows.COLUMNS + """
                         FROM artifacts a JOIN artifact_contents c USING (tenant_id, sha256)
                        WHERE tenant_id = :tenant AND workspace_id = :workspace AND artifact_id = :id"""))
                        .map((row, _) -> new Row(ArtifactRows.read(row), row.getString("place")))
                        .findOne());
    }

    @Override
    public List<StoredArtifact> list(
            TenantId tenant,
            ArtifactVisibility reader,
            WorkspaceId workspace,
            @Nullable RequestId request,
            @Nullable ArtifactPosition after,
            int limit) {
        return statements.run(handle -> bindReader(
                        reader,
                        handle.createQuery("SELECT " + ArtifactRows.COLUMNS + """
                         FROM artifacts a WHERE tenant_id = :tenant AND workspace_id = :workspace
                        AND (created_at, artifact_id) < (:afterTime, :afterId)
                        """
                                + (request == null ? "" : "AND request_id = :request") + """

                        AND (type = :keptState) = :keptStates AND (:everything OR (:attributed AND (agent_id IS NOT NULL OR session_id IS NOT NULL))
                            OR agent_id = ANY (:agents) OR session_id = ANY (:sessions)
                            OR principal = :principal)
                        ORDER BY created_at DESC, artifact_id DESC LIMIT :limit"""))
                .bind("tenant", tenant.value())
                .bind("workspace", workspace.value())
                .bind("request", request == null ? null : request.value())
                .bind("afterTime", after == null ? END_OF_TIME : after.createdAt())
                .bind("afterId", after == null ? "" : after.id())
                .bind("limit", limit)
                .map((row, _) -> ArtifactRows.read(row))
                .list());
    }

    private static Query bindReader(ArtifactVisibility reader, Query query) {
        ArtifactVisibility.MadeBy own =
                reader instanceof ArtifactVisibility.MadeBy of ? of : new ArtifactVisibility.MadeBy(Set.of(), Set.of());
        boolean kept = reader instanceof ArtifactVisibility.KeptStates;
        return query.bind("everything", kept || reader instanceof ArtifactVisibility.Everything)
                .bind("keptStates", kept)
                .bind("keptState", ArtifactVisibility.KEPT_STATE)
                .bind("principal", reader instanceof ArtifactVisibility.RequestedBy asking ? asking.principal() : null)
                .bind("attributed", reader instanceof ArtifactVisibility.Attributed)
                .bindArray(
                        "agents",
                        String.class,
                        own.agents().stream().map(AgentId::value).toList())
                .bindArray(
                        "sessions",
                        String.class,
                        own.sessions().stream().map(SessionId::value).toList());
    }

    @Override
    public Optional<Removal> remove(TenantId tenant, ArtifactUri uri) {
        AtomicReference<Optional<Removal>> removal = new AtomicReference<>(Optional.empty());
        inserts.exclusively(() -> removal.set(statements.inTransaction(handle -> remove(handle, tenant, uri))));
        return removal.get();
    }

    private static Optional<Removal> remove(Handle handle, TenantId tenant, ArtifactUri uri) {
        return at(tenant, uri, handle.createQuery("""
                        DELETE FROM artifacts
                        WHERE tenant_id = :tenant AND workspace_id = :workspace AND artifact_id = :id
                        RETURNING size_bytes, encode(sha256, 'hex') AS sha256"""))
                .map((row, _) -> new Deleted(row.getLong("size_bytes"), row.getString("sha256")))
                .findOne()
                .map(deleted -> {
                    releaseQuota(handle, tenant, deleted.size());
                    return new Removal(releaseContent(handle, tenant, deleted.sha256()));
                });
    }

    private static void releaseQuota(Handle handle, TenantId tenant, long size) {
        handle.createUpdate("UPDATE artifact_usage SET size_bytes = size_bytes - :size WHERE tenant_id = :tenant")
                .bind("tenant", tenant.value())
                .bind("size", size)
                .execute();
    }

    private record Deleted(long size, String sha256) {}

    private static Optional<String> releaseContent(Handle handle, TenantId tenant, String sha256) {
        handle.createUpdate("""
                        UPDATE artifact_contents SET artifacts = artifacts - 1
                        WHERE tenant_id = :tenant AND sha256 = decode(:sha256, 'hex')""")
                .bind("tenant", tenant.value())
                .bind("sha256", sha256)
                .execute();
        return handle.createQuery("""
                        DELETE FROM artifact_contents
                        WHERE tenant_id = :tenant AND sha256 = decode(:sha256, 'hex') AND artifacts = 0
                        RETURNING place""")
                .bind("tenant", tenant.value())
                .bind("sha256", sha256)
                .mapTo(String.class)
                .findOne();
    }

    @Override
    public long used(TenantId tenant) {
        return statements.run(
                handle -> handle.createQuery("SELECT size_bytes FROM artifact_usage WHERE tenant_id = :tenant")
                        .bind("tenant", tenant.value())
                        .mapTo(Long.class)
                        .findOne()
                        .orElse(0L));
    }

    @Override
    public Set<String> named(List<String> places) {
        return statements.run(handle ->
                new HashSet<>(handle.createQuery("SELECT place FROM artifact_contents WHERE place = ANY (:places)")
                        .bindArray("places", String.class, places)
                        .mapTo(String.class)
                        .list()));
    }

    private static <S extends SqlStatement<S>> S at(TenantId tenant, ArtifactUri uri, S statement) {
        return statement
                .bind("tenant", tenant.value())
                .bind("workspace", uri.workspace().value())
                .bind("id", uri.id());
    }
}
