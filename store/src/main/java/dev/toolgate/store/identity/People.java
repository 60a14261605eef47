package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** People who have logged in through a provider, and the end of their log-ins. */
public final class People {
    static final String COLUMNS = """
            p.person_id, p.tenant_id AS person_tenant, p.issuer, p.subject, p.name AS person_name, p.display_name,
            p.first_login_at, p.last_login_at
            """;

    private final Statements statements;

    public People(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Stores that a person has logged in. Ends the person's log-ins to other tenants.
     *
     * @param name the name in audit records, used if this is the first log-in
     */
    public StoredPerson loggedIn(
            TenantId tenant, String issuer, String subject, String name, String displayName, Instant now) {
        return statements.inTransaction(handle -> {
            StoredPerson person = handle.createQuery("""
                            INSERT INTO people AS p (person_id, tenant_id, issuer, subject, name, display_name,
                                first_login_at, last_login_at)
                            VALUES (:id, :tenant, :issuer, :subject, :name, :display, :now, :now)
                            ON CONFLICT (issuer, subject) DO UPDATE
                            SET tenant_id = excluded.tenant_id, display_name = excluded.display_name,
                                last_login_at = excluded.last_login_at
                            RETURNING\s""" + COLUMNS)
                    .bind("id", UUID.randomUUID())
                    .bind("tenant", tenant.value())
                    .bind("issuer", issuer)
                    .bind("subject", subject)
                    .bind("name", name)
                    .bind("display", displayName)
                    .bind("now", now)
                    .map((row, _) -> read(row))
                    .one();
            handle.createUpdate("DELETE FROM console_sessions WHERE person_id = :id AND tenant_id <> :tenant")
                    .bind("id", person.id())
                    .bind("tenant", tenant.value())
                    .execute();
            return person;
        });
    }

    /** A page of the people of a tenant, by id. */
    public List<StoredPerson> list(TenantId tenant, @Nullable UUID after, int limit) {
        return statements.run(handle -> handle.createQuery("SELECT " + COLUMNS + """
                        FROM people p WHERE p.tenant_id = :tenant AND (:after::uuid IS NULL OR p.person_id > :after::uuid)
                        ORDER BY p.person_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("after", after)
                .bind("limit", limit)
                .map((row, _) -> read(row))
                .list());
    }

    /** One person of a tenant. */
    public Optional<StoredPerson> find(TenantId tenant, UUID id) {
        return statements.run(handle -> handle.createQuery(
                        "SELECT " + COLUMNS + "FROM people p WHERE p.tenant_id = :tenant AND p.person_id = :id")
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> read(row))
                .findOne());
    }

    /** Ends all log-ins of a person of this tenant, and returns their number. */
    public int endLogins(TenantId tenant, UUID id) {
        return statements.run(handle -> handle.createUpdate("""
                        DELETE FROM console_sessions s USING people p
                        WHERE s.person_id = p.person_id AND p.person_id = :id AND p.tenant_id = :tenant""")
                .bind("id", id)
                .bind("tenant", tenant.value())
                .execute());
    }

    static StoredPerson read(ResultSet row) throws SQLException {
        return new StoredPerson(
                row.getObject("person_id", UUID.class),
                new TenantId(row.getString("person_tenant")),
                row.getString("issuer"),
                row.getString("subject"),
                row.getString("person_name"),
                row.getString("display_name"),
                Timestamps.read(row, "first_login_at"),
                Timestamps.read(row, "last_login_at"));
    }
}
