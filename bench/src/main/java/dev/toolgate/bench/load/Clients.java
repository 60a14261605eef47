package dev.toolgate.bench.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * The overhead of the Python and TypeScript clients over a bare HTTP client. Each makes its calls one after the other,
 * in turn with the bare client, in a process of its own, against one server. Target: at most a quarter.
 */
final class Clients {
    private static final String ROUNDS = "15";
    private static final String CALLS = "200";

    private Clients() {}

    /** Arguments: the Python with its script, and the Node with its script. */
    public static void main(String[] args) throws Exception {
        try (Rig rig = new Rig()) {
            String url = "http://127.0.0.1:" + rig.defaultServer();
            System.out.printf(
                    Locale.ROOT,
                    "%nThe same call with a client and with a bare one (load average %.1f on %d processors)%n",
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                    Runtime.getRuntime().availableProcessors());
            run(rig, url, args[0], args[1]);
            run(rig, url, args[2], args[3]);
        }
    }

    private static void run(Rig rig, String url, String program, String script)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(program, script, ROUNDS, CALLS)).inheritIO();
        builder.environment().put("TOOLGATE_URL", url);
        builder.environment().put("TOOLGATE_KEY", rig.key());
        builder.environment().put("TOOLGATE_AGENT", rig.agent());
        Process process = builder.start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(script + " failed.");
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
