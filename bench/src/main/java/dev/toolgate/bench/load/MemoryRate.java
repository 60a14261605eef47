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
 * {@code memory_save} and {@code memory_retrieve}, tool and store without HTTP, against pgbench sending single
 * statements to the same server: an upsert and a read of a bare table of keys and values, and the same on the tools'
 * own table. Bar: at least 0.5 times the bare table's rate. Every way has 8 clients and saves as often as it retrieves.
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

    private interface Way {
        double rate(Duration duration) throws Exception;
    }

    /** Arguments, if any: rounds, and seconds that each way has in each of them. */
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
            Map<String, Way> ways = new LinkedHashMap<>();
            ways.put(BARE, duration -> pgbench.rate(BARE_SCRIPTS, CLIENTS, duration));
            ways.put(TOOLS, duration -> tools(save, retrieve, duration));
            ways.put(OWN, duration -> pgbench.rate(OWN_SCRIPTS, CLIENTS, duration));
            MemoryRate measured = new MemoryRate();
            measured.measure(ways, rounds, turn);
            measured.print();
        }
    }

    private void measure(Map<String, Way> ways, int rounds, Duration turn) throws Exception {
        for (int round = -3; round < rounds; round++) {
            for (Map.Entry<String, Way> way : ways.entrySet()) {
                double rate = way.getValue().rate(turn);
                if (round >= 0) {
                    rates.computeIfAbsent(way.getKey(), _ -> new double[rounds])[round] = rate;
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
            throw new IllegalStateException("Something was forgotten.");
        }
    }

    private static ToolContext context(int agent) {
        Caller caller =
                new Caller(new TenantId("default"), new AgentId("agent-" + agent), null, new WorkspaceId("bench"));
        return new ToolContext(Call.of(caller, "memory", Json.MAPPER.createObjectNode()), Bounds.none());
    }

    private static int random(int most) {
        return ThreadLocalRandom.current().nextInt(most) + 1;
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nRemembering with %d clients (load average %.1f on %d processors), medians%n",
                CLIENTS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        rates.forEach((way, each) -> System.out.printf(Locale.ROOT, "  %-32s %9.0f a second%n", way, median(each)));
        System.out.printf(Locale.ROOT, "ratio tools / bare table: %.2f (bar: at least 0.5)%n", ratio(BARE));
        System.out.printf(Locale.ROOT, "ratio tools / the tools' table: %.2f%n", ratio(OWN));
    }

    /** Of the ratios of every round, since what else the machine did in it was much the same for both. */
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
