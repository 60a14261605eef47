package dev.toolgate.store.audit.query;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.chain.Chains;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.write.AuditRows;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.connection.LongWork;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

/** Reads the audit log: by page, as a whole, and chain by chain. */
public final class AuditQueries {
    private static final int LARGEST_PAGE = 1000;
    private static final int ROWS_IN_MEMORY = 500;
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(5);
    private static final String CANCELLED = "57014";

    private final Jdbi jdbi;

    public AuditQueries(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** One page of everything, newest first. */
    public AuditPage page(AuditFilter filter, @Nullable AuditPosition after, int size) {
        return page(filter, AuditReading.NEWEST_FIRST, after, size);
    }

    /**
     * One page.
     *
     * @param after where the page before ended; {@code null} for the first page
     * @throws QueryTooExpensive if a text was looked for in more records than can be read in a few seconds
     */
    public AuditPage page(AuditFilter filter, AuditReading reading, @Nullable AuditPosition after, int size) {
        int wanted = Math.clamp(size, 1, LARGEST_PAGE);
        HandleCallback<List<AuditRecord>, RuntimeException> read =
                handle -> new ArrayList<>(select(handle, filter, reading, after, " LIMIT :limit")
                        .bind("limit", wanted + 1)
                        .map(AuditQueries::read)
                        .list());
        List<AuditRecord> records = filter.text() == null ? jdbi.withHandle(read) : inTime(read);
        AuditPosition next = null;
        if (records.size() > wanted) {
            records.removeLast();
            next = AuditPosition.of(records.getLast());
        }
        // One that is being moved from its month to the table beside the months is found in both.
        return new AuditPage(records.stream().distinct().toList(), next);
    }

    /**
     * What calls have cost, dearest first.
     *
     * @param from the earliest time, included
     * @param until the time from which on calls are left out
     * @throws QueryTooExpensive if there are more calls than can be added up in a few seconds
     */
    public List<CostSum> costs(TenantId tenant, Instant from, Instant until, CostSum.By by) {
        return inTime(handle -> handle.createQuery("""
                        SELECT %1$s, count(*), sum(cost) FROM %2$s
                        WHERE tenant_id = :tenant AND timestamp >= :from AND timestamp < :until AND cost IS NOT NULL
                        GROUP BY %1$s ORDER BY sum(cost) DESC, %1$s LIMIT :limit""".formatted(by.column(), AuditTables.ALL))
                .bind("tenant", tenant.value())
                .bind("from", from)
                .bind("until", until)
                .bind("limit", LARGEST_PAGE)
                .map((row, _) -> new CostSum(row.getString(1), row.getLong(2), row.getBigDecimal(3)))
                .list());
    }

    private <T> T inTime(HandleCallback<T, RuntimeException> question) {
        try {
            return jdbi.inTransaction(handle -> {
                handle.execute("SET LOCAL statement_timeout = '" + LONGEST_QUESTION.toMillis() + "ms'");
                return question.withHandle(handle);
            });
        } catch (StatementException failed) {
            if (failed.getCause() instanceof SQLException sql && CANCELLED.equals(sql.getSQLState())) {
                throw new QueryTooExpensive(LONGEST_QUESTION, failed);
            }
            throw failed;
        }
    }

    /**
     * Every record that matches, newest first, a few at a time in memory.
     *
     * @return how many there were
     */
    public long export(AuditFilter filter, Consumer<AuditRecord> consumer) {
        return jdbi.inTransaction(handle -> {
            LongWork.with(handle);
            long count = 0;
            try (ResultIterator<AuditRecord> records = select(handle, filter, AuditReading.NEWEST_FIRST, null, "")
                    .setFetchSize(ROWS_IN_MEMORY)
                    .map(AuditQueries::read)
                    .iterator()) {
                AuditRecord last = null;
                while (records.hasNext()) {
                    AuditRecord next = records.next();
                    if (!next.equals(last)) { // one that is being moved is found twice
                        consumer.accept(next);
                        count++;
                    }
                    last = next;
                }
            }
            return count;
        });
    }

    /** The records of all tenants chain by chain, and where each chain begins and ends at that moment. */
    public <T> T chains(Function<Chains, T> reader) {
        return jdbi.inTransaction(
                TransactionIsolationLevel.REPEATABLE_READ, handle -> ChainReader.whole(handle, reader));
    }

    /** Whether the log is exactly what was written. */
    public AuditChain.Report verify() {
        return chains(AuditChain::verify);
    }

    /** The same, and whether it is what signed checkpoints say; those must have been read before. */
    public AuditChain.Report verify(KnownCheckpoints checkpoints) {
        return chains(chains -> AuditChain.verify(chains, checkpoints));
    }

    private static Query select(
            Handle handle, AuditFilter filter, AuditReading reading, @Nullable AuditPosition after, String limit) {
        AuditConditions conditions = new AuditConditions(filter, reading, after);
        return conditions.bind(handle.createQuery("SELECT " + AuditRows.COLUMNS + " FROM " + AuditTables.ALL + " WHERE "
                + conditions.sql() + reading.order().sql() + limit));
    }

    private static AuditRecord read(ResultSet row, Object context) throws SQLException {
        return AuditRows.read(row);
    }
}
