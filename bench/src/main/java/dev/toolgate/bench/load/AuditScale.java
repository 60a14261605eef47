package dev.toolgate.bench.load;

import dev.toolgate.store.Database;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditQueries;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Reads a large audit log. Targets: p99 of 50 ms for the last 100 of an agent's calls among 5 million; an
 * export of 1 million records with a heap of 256 MB.
 */
final class AuditScale {
    private static final int RECORDS = 5_000_000;
    private static final int EXPORTED = 1_000_000;
    private static final int PAGE = 100;
    private static final int WARM_UP = 200;
    private static final int QUESTIONS = 2_000;
    private static final double BAR_MS = 50;

    private AuditScale() {}

    public static void main(String[] args) throws Exception {
        ManyRecords records = new ManyRecords(RECORDS);
        try (TemporaryPostgres postgres = TemporaryPostgres.start()) {
            try (Database database = Database.open(postgres.home(), postgres.url())) {
                long start = System.nanoTime();
                records.insert(database.jdbi());
                System.out.printf(
                        Locale.ROOT,
                        "%nReading the record (load average %.1f on %d processors)%n  %-44s %,10d in %.0f s%n",
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                        Runtime.getRuntime().availableProcessors(),
                        "records made",
                        RECORDS,
                        (System.nanoTime() - start) / 1e9);
                pages(new AuditQueries(database.jdbi()));
            }
            export(postgres.url(), records.beginOfLast(EXPORTED));
        }
    }

    private static void pages(AuditQueries audit) {
        Random random = new Random(7);
        long[] nanos = new long[QUESTIONS];
        for (int question = -WARM_UP; question < QUESTIONS; question++) {
            AuditFilter filter =
                    AuditFilter.of(ManyRecords.TENANT).agent(ManyRecords.agent(random.nextInt(ManyRecords.AGENTS)));
            long start = System.nanoTime();
            int found = audit.page(filter, null, PAGE).records().size();
            if (question >= 0) {
                nanos[question] = System.nanoTime() - start;
            }
            if (found != PAGE) {
                throw new IllegalStateException("Only " + found + " records of an agent were found.");
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "  %-44s p50 %.2f ms, p99 %.2f ms (bar: p99 under %.0f ms)%n",
                "the last " + PAGE + " of one of " + ManyRecords.AGENTS + " agents",
                nanos[QUESTIONS / 2] / 1e6,
                nanos[QUESTIONS * 99 / 100] / 1e6,
                BAR_MS);
    }

    private static void export(String url, Instant since) throws IOException, InterruptedException {
        ProcessBuilder child = new ProcessBuilder(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ExportRate.class.getName(),
                since.toString()));
        child.environment().put("DATABASE_URL", url);
        if (child.inheritIO().start().waitFor() != 0) {
            throw new IllegalStateException("The export failed.");
        }
    }
}
