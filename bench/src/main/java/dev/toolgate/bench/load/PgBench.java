package dev.toolgate.bench.load;

import dev.toolgate.store.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs pgbench with scripts of single statements. */
record PgBench(EmbeddedPostgres server, Path folder) {
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) \\(without initial connection time\\)");

    static boolean isInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("pgbench", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    /** The rate in statements per second, for a random mix of these scripts with one statement each. */
    double rate(List<String> scripts, int clients, Duration duration) throws IOException, InterruptedException {
        URI place = URI.create(server.jdbcUrl().substring("jdbc:".length()));
        List<String> line = new ArrayList<>(List.of(
                "pgbench",
                "--no-vacuum",
                "--protocol=prepared",
                "--client=" + clients,
                "--jobs=2",
                "--time=" + duration.toSeconds(),
                "--host=" + place.getHost(),
                "--port=" + place.getPort(),
                "--username=" + server.user()));
        for (int i = 0; i < scripts.size(); i++) {
            Path script = folder.resolve("script-" + i + ".sql");
            Files.writeString(script, scripts.get(i));
            line.add("--file=" + script);
        }
        line.add(place.getPath().substring(1));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", server.password());
        Process running = builder.start();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(said);
        if (running.waitFor() != 0 || !rate.find()) {
            throw new IOException("pgbench failed: " + said);
        }
        return Double.parseDouble(rate.group(1));
    }
}
