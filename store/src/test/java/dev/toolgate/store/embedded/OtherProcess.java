package dev.toolgate.store.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A Java process with an embedded server, to be killed. */
final class OtherProcess implements AutoCloseable {
    private static final String STARTED = "started ";

    final Process process;
    final String firstLine;

    OtherProcess(Path home) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        firstLine = String.valueOf(
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine());
    }

    /** The server it started. */
    ProcessHandle server() {
        if (!firstLine.startsWith(STARTED)) {
            throw new IllegalStateException(firstLine);
        }
        return ProcessHandle.of(Long.parseLong(firstLine.substring(STARTED.length())))
                .orElseThrow();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] arguments) throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(Path.of(arguments[0]))) {
            Sql.run(postgres.url(), "CREATE SCHEMA IF NOT EXISTS mine");
            Sql.run(postgres.url(), "CREATE TABLE IF NOT EXISTS mine.kept (line text)");
            Sql.run(postgres.url(), "GRANT USAGE ON SCHEMA mine TO PUBLIC");
            Sql.run(postgres.url(), "GRANT SELECT, INSERT ON mine.kept TO PUBLIC");
            Sql.run(
                    postgres.url(),
                    "INSERT INTO mine.kept VALUES ('written by "
                            + ProcessHandle.current().pid() + "')");
            System.out.println(STARTED + postgres.pid());
            Thread.sleep(Long.MAX_VALUE);
        } catch (IOException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
