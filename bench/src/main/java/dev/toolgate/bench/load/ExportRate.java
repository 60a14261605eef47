package dev.toolgate.bench.load;

import dev.toolgate.store.Database;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.record.AuditCsv;
import dev.toolgate.store.audit.record.AuditJsonLines;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.Flushable;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Exports records to a null stream; a separate program, so that it can run with a small heap. Reads
 * {@code DATABASE_URL}; its argument is the start time.
 */
final class ExportRate {
    private ExportRate() {}

    public static void main(String[] args) throws Exception {
        AuditFilter filter = AuditFilter.of(ManyRecords.TENANT).between(Instant.parse(args[0]), null);
        try (Database database = Database.open(DatabaseUrl.parse(System.getenv("DATABASE_URL")))) {
            AuditQueries audit = new AuditQueries(database.jdbi());
            measure("JSON lines", audit, filter, new AuditJsonLines(OutputStream.nullOutputStream()));
            measure("CSV", audit, filter, new AuditCsv(OutputStream.nullOutputStream()));
        }
    }

    private static <T extends Consumer<AuditRecord> & Flushable> void measure(
            String format, AuditQueries audit, AuditFilter filter, T writer) throws Exception {
        long start = System.nanoTime();
        long rows = audit.export(filter, writer);
        writer.flush();
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "  %-44s %,10d rows in %5.1f s, %,8.0f a second (heap: %d MB)%n",
                "export as " + format,
                rows,
                seconds,
                rows / seconds,
                Runtime.getRuntime().maxMemory() >> 20);
    }
}
