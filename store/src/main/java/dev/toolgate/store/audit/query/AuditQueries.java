package dev.toolgate.store.audit.query;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.chain.Chains;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.write.AuditRows;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.connection.LongStatements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** Queries the audit log: page by page, as a whole, and chain by chain. */
public final class AuditQueries {
    private static final int MAX_PAGE_SIZE = 1000;
    private static final int MAX_SCANNED = 10_000;
    private static final int FETCH_SIZE = 500;
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);
    private static final String CANCELLED = "57014";

    private final Jdbi jdbi;

    public AuditQueries(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** One page of everything, newest first. */
    public AuditPage page(AuditFilter filter, @Nullable AuditPosition after, int size) {
        return page(filter, AuditReadOptions.NEWEST_FIRST, after, size);
    }

    /**
     * One page. It reads at most {@value #MAX_SCANNED} records, so it may have fewer than requested, even none,
     * although there is a next page; a text search reads as many as it needs.
     *
     * @param after where the page before ended; {@code null} for the first page
     * @throws QueryTooExpensive if a text search takes longer than a few seconds
     */
    public AuditPage page(AuditFilter filter, AuditReadOptions reading, @Nullable AuditPosition after, int size) {
        int wanted = Math.clamp(size, 1, MAX_PAGE_SIZE);
        AuditConditions conditions = new AuditConditions(filter, reading, after);
        return filter.text() == null
                ? jdbi.withHandle(handle -> scannedPage(handle, conditions, reading, wanted))
                : withTimeout(handle -> searchedPage(handle, conditions, reading, wanted));
    }

    private static AuditPage searchedPage(
            Handle handle, AuditConditions conditions, AuditReadOptions reading, int wanted) {
        return page(records(handle, conditions, AuditTables.ALL, reading, wanted + 1), wanted, null);
    }

    private static AuditPage scannedPage(
            Handle handle, AuditConditions conditions, AuditReadOptions reading, int wanted) {
        String scanned = "(SELECT * FROM " + AuditTables.ALL + " WHERE " + conditions.scanned()
                + reading.order().sql() + " LIMIT " + MAX_SCANNED + ") AS records";
        List<AuditRecord> records = records(handle, conditions, scanned, reading, wanted + 1);
        return page(records, wanted, records.size() > wanted ? null : lastScanned(handle, conditions, reading));
    }

    private static List<AuditRecord> records(
            Handle handle, AuditConditions conditions, String from, AuditReadOptions reading, int limit) {
        return conditions
                .bind(handle.createQuery("SELECT " + AuditRows.COLUMNS + " FROM " + from + " WHERE " + conditions.sql()
                        + reading.order().sql() + " LIMIT :limit"))
                .bind("limit", limit)
                .map(AuditQueries::read)
                .list();
    }

    /** The last position that a page may read; {@code null} if the log ends before it. */
    private static @Nullable AuditPosition lastScanned(
            Handle handle, AuditConditions conditions, AuditReadOptions reading) {
        return conditions
                .bind(handle.createQuery("SELECT timestamp, id FROM " + AuditTables.ALL + " WHERE "
                        + conditions.scanned() + reading.order().sql() + " OFFSET " + (MAX_SCANNED - 1) + " LIMIT 1"))
                .map((row, _) ->
                        new AuditPosition(row.getObject(1, OffsetDateTime.class).toInstant(), row.getLong(2)))
                .findOne()
                .orElse(null);
    }

    private static AuditPage page(List<AuditRecord> records, int wanted, @Nullable AuditPosition scannedTo) {
        List<AuditRecord> page = records.size() > wanted ? records.subList(0, wanted) : records;
        AuditPosition next = records.size() > wanted ? AuditPosition.of(page.getLast()) : scannedTo;
        // A record that is being moved out of its partition is found in both tables.
        return new AuditPage(page.stream().distinct().toList(), next);
    }

    /** The record with this id, if it belongs to the tenant and the scope includes it. */
    public Optional<AuditRecord> find(TenantId tenant, AuditReadOptions.Scope scope, long id) {
        AuditConditions conditions = new AuditConditions(
                AuditFilter.of(tenant), new AuditReadOptions(AuditReadOptions.Order.NEWEST_FIRST, scope), null);
        // With a LIMIT, PostgreSQL might read the table instead of the index on ids. A record that is being moved is
        // found twice.
        return jdbi.withHandle(handle -> conditions
                .bind(handle.createQuery("SELECT " + AuditRows.COLUMNS + " FROM " + AuditTables.ALL + " WHERE "
                        + conditions.sql() + " AND id = :id"))
                .bind("id", id)
                .map(AuditQueries::read)
                .findFirst());
    }

    /** The records of the calls that have undone a record's change, oldest first. */
    public List<Long> undoneBy(TenantId tenant, long id) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT DISTINCT id FROM " + AuditTables.ALL
                        + " WHERE tenant_id = :tenant AND undoes = :record AND status = 'COMPLETED'"
                        + " ORDER BY id LIMIT :limit")
                .bind("tenant", tenant.value())
                .bind("record", Long.toString(id))
                .bind("limit", MAX_PAGE_SIZE)
                .mapTo(Long.class)
                .list());
    }

    /**
     * The costs of calls, highest first.
     *
     * @param from the earliest time, inclusive
     * @param until the latest time, exclusive
     * @throws QueryTooExpensive if the sum takes longer than a few seconds
     */
    public List<CostSum> costs(TenantId tenant, Instant from, Instant until, CostSum.By by) {
        return withTimeout(handle -> handle.createQuery("""
                        SELECT %1$s, count(*), sum(cost) FROM %2$s
                        WHERE tenant_id = :tenant AND timestamp >= :from AND timestamp < :until AND cost IS NOT NULL
                        GROUP BY %1$s ORDER BY sum(cost) DESC, %1$s LIMIT :limit""".formatted(by.column(), AuditTables.ALL))
                .bind("tenant", tenant.value())
                .bind("from", from)
                .bind("until", until)
                .bind("limit", MAX_PAGE_SIZE)
                .map((row, _) -> new CostSum(row.getString(1), row.getLong(2), row.getBigDecimal(3)))
                .list());
    }

    private <T> T withTimeout(HandleCallback<T, RuntimeException> query) {
        try {
            return jdbi.inTransaction(handle -> {
                handle.execute("SET LOCAL statement_timeout = '" + QUERY_TIMEOUT.toMillis() + "ms'");
                return query.withHandle(handle);
            });
        } catch (StatementException failed) {
            if (failed.getCause() instanceof SQLException sql && CANCELLED.equals(sql.getSQLState())) {
                throw new QueryTooExpensive(QUERY_TIMEOUT, failed);
            }
            throw failed;
        }
    }

    /**
     * Streams every record that matches, newest first.
     *
     * @return the number of records
     */
    public long export(AuditFilter filter, Consumer<AuditRecord> consumer) {
        return jdbi.inTransaction(handle -> {
            LongStatements.allow(handle);
            long count = 0;
            try (ResultIterator<AuditRecord> records = all(handle, filter)
                    .setFetchSize(FETCH_SIZE)
                    .map(AuditQueries::read)
                    .iterator()) {
                AuditRecord last = null;
                while (records.hasNext()) {
                    AuditRecord next = records.next();
                    if (!next.equals(last)) { // a record that is being moved is found twice
                        consumer.accept(next);
                        count++;
                    }
                    last = next;
                }
            }
            return count;
        });
    }

    /** Passes a snapshot of all chains of all tenants to a reader. */
    public <T> T chains(Function<Chains, T> reader) {
        return jdbi.inTransaction(
                TransactionIsolationLevel.REPEATABLE_READ, handle -> ChainReader.whole(handle, reader));
    }

    /** Verifies the whole log. */
    public AuditChain.Report verify() {
        return chains(AuditChain::verify);
    }

    /** The same, and compares it with signed checkpoints, which must have been read before this call. */
    public AuditChain.Report verify(KnownCheckpoints checkpoints) {
        return chains(chains -> AuditChain.verify(chains, checkpoints));
    }

    private static Query all(Handle handle, AuditFilter filter) {
        AuditReadOptions reading = AuditReadOptions.NEWEST_FIRST;
        AuditConditions conditions = new AuditConditions(filter, reading, null);
        return conditions.bind(handle.createQuery("SELECT " + AuditRows.COLUMNS + " FROM " + AuditTables.ALL + " WHERE "
                + conditions.sql() + reading.order().sql()));
    }

    private static AuditRecord read(ResultSet row, Object context) throws SQLException {
        return AuditRows.read(row);
    }
}
