package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.s3.S3Server;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole server with 128 MiB of memory stores and returns an artifact eight times as large. */
@Timeout(300)
class LargeArtifactTest {
    private static final int BLOCK = 1 << 20;
    private static final int BLOCKS = 1024;
    private static final long SIZE = (long) BLOCK * BLOCKS;

    @TempDir
    private Path home;

    @Test
    void on_disk() throws Exception {
        upAndDown("artifacts: {store: disk}\n");
    }

    @Test
    void in_s3(@TempDir Path folder) throws Exception {
        try (S3Server s3 = S3Server.start(folder)) {
            upAndDown("""
                    artifacts:
                      store: s3
                      bucket: %s
                      endpoint: %s
                      region: us-east-1
                      path_style: true
                      access_key_id: %s
                      secret_access_key: %s
                    """.formatted(
                    s3.newBucket(folder.resolve("spool")), s3.endpoint(), S3Server.KEY.id(), S3Server.KEY.secret()));
        }
    }

    private void upAndDown(String settings) throws Exception {
        Files.writeString(home.resolve("toolgate.yaml"), settings);
        DatabaseUrl database = MigratedDatabase.fresh();
        Map<String, String> environment = new HashMap<>(TrialDatabase.environment(home, database));
        environment.put(ServerProcess.OPTIONS, "-Xmx128m -XX:TieredStopAtLevel=4"); // hashing is slow without the JIT
        try (ServerProcess server = ServerProcess.withTrialTools(environment, home.resolve("effects"))) {
            Client client = server.client();
            MessageDigest sent = MessageDigest.getInstance("SHA-256");
            long begun = System.nanoTime();
            String answer = upload(client, sent);
            String sha256 = HexFormat.of().formatHex(sent.digest());
            long uploaded = System.nanoTime();
            assertThat(answer).contains("\"size\":" + SIZE, "\"sha256\":\"" + sha256 + "\"");

            String uri = answer.replaceFirst(".*\"uri\":\"([^\"]+)\".*", "$1");
            assertThat(download(client, "/" + uri)).isEqualTo(sha256);
            System.out.printf(
                    "1 GiB up in %d ms, down in %d ms%n",
                    (uploaded - begun) / 1_000_000, (System.nanoTime() - uploaded) / 1_000_000);
        }
    }

    private static String upload(Client client, MessageDigest digest) throws Exception {
        HttpURLConnection connection = open(client, "/workspaces/large/artifacts");
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(SIZE);
        byte[] block = new byte[BLOCK];
        new Random(11).nextBytes(block);
        try (OutputStream out = connection.getOutputStream()) {
            for (int i = 0; i < BLOCKS; i++) {
                block[i] ^= (byte) i; // no two blocks are equal
                digest.update(block);
                out.write(block);
            }
        }
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String download(Client client, String path) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] buffer = new byte[BLOCK];
        try (InputStream in = open(client, path).getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static HttpURLConnection open(Client client, String path) throws Exception {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(client.url() + path).toURL().openConnection();
        connection.setRequestProperty("Authorization", "Bearer " + client.key());
        connection.setReadTimeout(120_000);
        return connection;
    }
}
