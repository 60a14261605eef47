package dev.toolgate.store.s3;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3-compatible server in a separate process that stores objects in a folder. */
public final class S3Server implements AutoCloseable {
    public static final S3Settings.Key KEY = new S3Settings.Key("test-identity", "test-credential");

    private static final Path PROGRAM = Path.of("target/s3/s3proxy.jar").toAbsolutePath();
    private static final Pattern READY = Pattern.compile("Started ServerConnector.*127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final int port;

    private S3Server(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it and waits until it answers.
     *
     * @param folder an empty folder
     */
    public static S3Server start(Path folder) throws IOException {
        Path objects = Files.createDirectories(folder.resolve("objects"));
        Path settings =
                Files.writeString(folder.resolve("s3proxy.properties"), """
                s3proxy.endpoint=http://127.0.0.1:0
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=filesystem-nio2
                jclouds.filesystem.basedir=%s
                """.formatted(KEY.id(), KEY.secret(), objects));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-jar",
                        PROGRAM.toString(),
                        "--properties",
                        settings.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
                return new S3Server(process, Integer.parseInt(ready.group(1)));
            }
            said.append(line).append('\n');
        }
        throw new IOException("The S3 server did not start: " + said);
    }

    public int port() {
        return port;
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Creates an empty bucket. */
    public String newBucket(Path spool) throws IOException {
        String name = "bucket-" + UUID.randomUUID();
        try (S3Client client = client(spool)) {
            client.createBucket(request -> request.bucket(name));
        }
        return name;
    }

    /** A client that is independent of the store. */
    public S3Client client(Path spool) throws IOException {
        return S3Connection.unchecked(settings("none", "", endpoint(), spool));
    }

    /** Settings for a bucket at some address. */
    public static S3Settings settings(String bucket, String prefix, URI endpoint, Path spool) {
        return new S3Settings(bucket, prefix, endpoint, "us-east-1", S3Settings.Addressing.IN_PATH, KEY, spool);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
