package dev.toolgate.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.server.config.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnSecretsTest {
    private static final List<String> NAMES = List.of(
            "TOOLGATE_ADMIN_KEY",
            "TOOLGATE_ACCOUNT_KEY",
            "TOOLGATE_JWT_SECRET",
            "TOOLGATE_OIDC_CLIENT_SECRET",
            "TOOLGATE_DIGEST_KEY",
            "TOOLGATE_S3_ACCESS_KEY_ID",
            "TOOLGATE_S3_SECRET_ACCESS_KEY",
            "TOOLGATE_CHECKPOINT_RECEIVER_TOKEN",
            "TOOLGATE_CHECKPOINT_S3_ACCESS_KEY_ID",
            "TOOLGATE_CHECKPOINT_S3_SECRET_ACCESS_KEY");
    private static final List<String> DATABASES =
            List.of("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_RETENTION_URL");

    @TempDir
    private Path home;

    @Test
    void every_secret_of_the_settings_is_masked_in_logs() throws Exception {
        Map<String, String> environment = new HashMap<>();
        NAMES.forEach(name -> environment.put(name, valueOf(name)));
        DATABASES.forEach(name ->
                environment.put(name, "postgresql://u:" + valueOf(name) + "@db.example.org/toolgate_production_1"));
        Path file = Files.writeString(home.resolve("toolgate.yaml"), """
                auth: {oidc: {issuer: 'https://id.example.org', client_id: gate, roles: [{group: staff, role: admin}]}}
                audit:
                  checkpoints:
                    receiver: https://receiver.example.org/
                    s3: {endpoint: 'https://s3.example.org', bucket: checkpoints}
                """);
        ServerSettings settings = ServerSettings.load(file, environment, Map.of("home", home.toString()));
        Redactor logs = Redaction.ofLogs(settings, new KnownSecrets());
        Redactor records = Redaction.of(settings, new KnownSecrets());

        assertThat(records.record("rm db.example.org/toolgate_production_2").value())
                .as("a path of the shape of a database's URL")
                .doesNotContain("redacted");
        for (String name : environment.keySet()) {
            assertThat(logs.record("the value is " + valueOf(name) + " here").value())
                    .as(name)
                    .doesNotContain(valueOf(name));
        }
    }

    // Looks like an ordinary word, so that it is found by its value, not by a pattern.
    private static String valueOf(String name) {
        return "of" + name.toLowerCase(Locale.ROOT).replace("_", "x") + "yyyyyyyyyyyy";
    }
}
