package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An independent program tests the document with thousands of generated requests: nothing valid is refused as
 * malformed, nothing invalid is accepted, and nothing makes the server fail.
 */
class SchemathesisTest {
    private static final Path CONFIGURATION =
            Path.of("src/test/python/schemathesis.toml").toAbsolutePath();
    private static final String NOBODY_LISTENS = "http://127.0.0.1:9";
    private static final String SECRET = "the secret of tokens in this test";
    private static final String WHERE_THE_SUMMARY_BEGINS = "== SUMMARY ==";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    @Test
    void the_server_conforms_to_its_document() throws Exception {
        Map<String, String> settings = Map.of(
                "models.claude.base_url", NOBODY_LISTENS,
                "models.openai.base_url", NOBODY_LISTENS,
                "models.ollama.host", NOBODY_LISTENS,
                "auth.jwt.secret", SECRET);
        try (RunningServer server = RunningServer.start(home, settings)) {
            String token = adminToken();
            Path output = folder.resolve("output.txt");

            int code = schemathesis(server.url(), token, output);

            String said = Files.readString(output);
            int summary = Math.max(0, said.indexOf(WHERE_THE_SUMMARY_BEGINS));
            System.out.println(said.substring(summary));
            assertThat(code).as(said).isZero();
            assertThat(said).contains(WHERE_THE_SUMMARY_BEGINS).doesNotContain("Failures:", "Errors:");
            // If the key had become invalid, all later requests would have been refused.
            assertThat(server.withKey(token).get("/api/v1/whoami").status()).isEqualTo(200);
        }
    }

    /** A key that the generated requests cannot revoke: they revoke and rotate every key they find. */
    private static String adminToken() throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .subject("schemathesis")
                        .audience("toolgate")
                        .claim("tenant", FIRST.value())
                        .claim("role", "admin")
                        .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))))
                        .build());
        token.sign(new MACSigner(SECRET));
        return token.serialize();
    }

    private int schemathesis(String url, String token, Path output) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        SchemathesisInstallation.program().toString(),
                        "--config-file",
                        CONFIGURATION.toString(),
                        "run",
                        url + "/openapi.json",
                        "--header",
                        "Authorization: Bearer " + token,
                        "--max-examples",
                        "25",
                        "--seed",
                        "11",
                        // With threads, Python before 3.11.8 may end with "AST constructor recursion depth mismatch".
                        "--workers",
                        "1",
                        "--exclude-path-regex",
                        "(/stream|/ws|/console/events)$",
                        "--no-color"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(15, TimeUnit.MINUTES)).as("It ended").isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
