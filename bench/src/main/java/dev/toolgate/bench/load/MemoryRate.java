package dev.toolgate.bench.load;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.store.Database;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.memory.PostgresMemory;
import dev.toolgate.tools.memory.MemoryLimits;
import dev.toolgate.tools.memory.MemoryRetrieveTool;
import dev.toolgate.tools.memory.MemorySaveTool;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Compares {@code memory_save} and {@code memory_retrieve}, without HTTP, with pgbench sending single statements to the
 * same server: an upsert and a read on a bare key-value table, and the same on the tools' own table. Target: at least
 * 0.5 times the rate of the bare table. Every variant has 8 clients and equal numbers of writes and reads.
 */
final class MemoryRate {
    private static final int CLIENTS = 8;
    private static final int AGENTS = 100;
    private static final int KEYS = 100;
    private static final String VALUE = "The deployment of the web shop is on Monday; ask Alice about the window. ";
    private static final String TOOLS = "memory_save + memory_retrieve";
    private static final String BARE = "pgbench, bare table";
    private static final String OWN = "pgbench, the tools' table";

    private static final List<String> BARE_SCRIPTS =
            List.of("""
            \\set n random(1, %d)
            INSERT INTO bare_items VALUES ('key-' || (:n)::text, '%s')
            ON CONFLICT (key) DO UPDATE SET value = excluded.value;
            """.formatted(AGENTS * KEYS, VALUE), """
            \\set n random(1, %d)
            SELECT key, value FROM bare_items WHERE key = 'key-' || (:n)::text;
            """.formatted(AGENTS * KEYS));
    private static final List<String> OWN_SCRIPTS =
            List.of("""
            \\set a random(1, %d)
            \\set n random(1, %d)
            INSERT INTO memory_items (tenant_id, agent_id, key, value) VALUES
                ('default', 'agent-' || (:a)::text, 'key-' || (:n)::text, '%s')
            ON CONFLICT (tenant_id, agent_id, key) DO UPDATE SET value = excluded.value;
            """.formatted(AGENTS, KEYS, VALUE), """
            \\set a random(1, %d)
            \\set n random(1, %d)
            SELECT key, value, tags, version FROM memory_items
            WHERE tenant_id = 'default' AND agent_id = 'agent-' || (:a)::text AND key = 'key-' || (:n)::text;
            """.formatted(AGENTS, KEYS));

    private final Map<String, double[]> rates = new LinkedHashMap<>();

    private MemoryRate() {}

    private interface Variant {
        double rate(Duration duration) throws Exception;
    }

    /** Optional arguments: the number of rounds, and the seconds of each variant per round. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        Duration turn = Duration.ofSeconds(args.length > 1 ? Integer.parseInt(args[1]) : 3);
        if (!PgBench.isInstalled()) {
            System.out.println("MemoryRate: pgbench is not installed; apt-get install postgresql-contrib");
            return;
        }
        try (TemporaryPostgres postgres = TemporaryPostgres.start();
                Database database = Database.open(DatabaseUrl.parse(postgres.url()))) {
            database.jdbi()
                    .useHandle(handle ->
                            handle.execute("CREATE TABLE bare_items (key TEXT PRIMARY KEY, value TEXT NOT NULL)"));
            Memory memory = new PostgresMemory(database.dataSource());
            MemorySaveTool save = new MemorySaveTool(memory, MemoryLimits.standard());
            MemoryRetrieveTool retrieve = new MemoryRetrieveTool(memory);
            for (int item = 0; item < AGENTS * KEYS; item++) {
                save(save, item / KEYS + 1, item % KEYS + 1);
            }
            PgBench pgbench = new PgBench(postgres.server(), postgres.home());
            Map<String, Variant> variants = new LinkedHashMap<>();
            variants.put(BARE, duration -> pgbench.rate(BARE_SCRIPTS, CLIENTS, duration));
            variants.put(TOOLS, duration -> tools(save, retrieve, duration));
            variants.put(OWN, duration -> pgbench.rate(OWN_SCRIPTS, CLIENTS, duration));
            MemoryRate measured = new MemoryRate();
            measured.measure(variants, rounds, turn);
            measured.print();
        }
    }

    private void measure(Map<String, Variant> variants, int rounds, Duration turn) throws Exception {
        for (int round = -3; round < rounds; round++) {
            for (Map.Entry<String, Variant> variant : variants.entrySet()) {
                double rate = variant.getValue().rate(turn);
                if (round >= 0) {
                    rates.computeIfAbsent(variant.getKey(), _ -> new double[rounds])[round] = rate;
                }
            }
        }
    }

    private static double tools(MemorySaveTool save, MemoryRetrieveTool retrieve, Duration duration) throws Exception {
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        long calls = 0;
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> counts = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                counts.add(clients.submit(() -> {
                    long count = 0;
                    for (; System.nanoTime() < end; count += 2) {
                        save(save, random(AGENTS), random(KEYS));
                        retrieve(retrieve, random(AGENTS), random(KEYS));
                    }
                    return count;
                }));
            }
            for (Future<Long> count : counts) {
                calls += count.get();
            }
        }
        return calls * 1e9 / (System.nanoTime() - start);
    }

    private static void save(MemorySaveTool tool, int agent, int key) throws Exception {
        tool.call(new MemorySaveTool.Arguments("key-" + key, VALUE, List.of("shop", "plan")), context(agent));
    }

    private static void retrieve(MemoryRetrieveTool tool, int agent, int key) throws Exception {
        var output = tool.call(new MemoryRetrieveTool.Arguments("key-" + key, null, null, null, null), context(agent));
        if (!output.text().contains("Monday")) {
            throw new IllegalStateException("A saved item was not found.");
        }
    }

    private static ToolContext context(int agent) {
        Caller caller =
                Caller.ofAgent(new TenantId("default"), new AgentId("agent-" + agent), null, new WorkspaceId("bench"));
        return new ToolContext(Call.of(caller, "memory", Json.MAPPER.createObjectNode()), Bounds.none());
    }

    private static int random(int max) {
        return ThreadLocalRandom.current().nextInt(max) + 1;
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nRemembering with %d clients (load average %.1f on %d processors), medians%n",
                CLIENTS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        rates.forEach(
                (variant, each) -> System.out.printf(Locale.ROOT, "  %-32s %9.0f a second%n", variant, median(each)));
        System.out.printf(Locale.ROOT, "ratio tools / bare table: %.2f (bar: at least 0.5)%n", ratio(BARE));
        System.out.printf(Locale.ROOT, "ratio tools / the tools' table: %.2f%n", ratio(OWN));
    }

    /** The median of the ratios per round, because the other load in a round is about the same for both. */
    private double ratio(String to) {
        double[] of = rates.getOrDefault(TOOLS, new double[1]);
        double[] by = rates.getOrDefault(to, new double[1]);
        double[] ratios = new double[of.length];
        Arrays.setAll(ratios, round -> of[round] / by[round]);
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
