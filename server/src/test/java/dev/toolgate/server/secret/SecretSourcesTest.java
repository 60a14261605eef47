package dev.toolgate.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.server.config.SecretLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretSourcesTest {
    private static final TenantId FIRST = Principal.FIRST_TENANT;
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    private Path folder;

    private final KnownSecrets known = new KnownSecrets();

    private Secrets secrets(Map<String, Map<String, SecretLocation>> settings, Map<String, String> environment) {
        return SecretSources.of(settings, environment, known);
    }

    @Test
    void only_the_first_tenant_finds_secrets_in_the_environment() {
        Secrets secrets = secrets(Map.of(), Map.of("GITHUB_TOKEN", "planted-token", "EMPTY", ""));

        assertThat(secrets.find(FIRST, "GITHUB_TOKEN")).contains("planted-token");
        assertThat(secrets.find(FIRST, "EMPTY")).isEmpty();
        assertThat(secrets.find(FIRST, "OTHER")).isEmpty();
        assertThat(secrets.find(ACME, "GITHUB_TOKEN")).isEmpty();
    }

    @Test
    void a_file_is_read_at_every_use_without_the_trailing_line_end() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "planted-first\n");
        Secrets secrets = secrets(Map.of(), Map.of("VAULT_TOKEN_FILE", file.toString()));
        assertThat(secrets.find(FIRST, "VAULT_TOKEN")).contains("planted-first");

        Files.writeString(file, "planted-second\r\n");
        assertThat(secrets.find(FIRST, "VAULT_TOKEN")).contains("planted-second");
        assertThat(secrets.find(ACME, "VAULT_TOKEN")).isEmpty();
    }

    @Test
    void each_tenant_has_the_secrets_of_its_settings() throws IOException {
        Path file = Files.writeString(folder.resolve("acme"), "planted-acme");
        Secrets secrets = secrets(
                Map.of(
                        "acme", Map.of("GITHUB_TOKEN", new SecretLocation.InFile(file)),
                        "default", Map.of("GITHUB_TOKEN", new SecretLocation.Variable("OURS"))),
                Map.of("OURS", "planted-ours", "GITHUB_TOKEN", "planted-plain"));

        assertThat(secrets.find(ACME, "GITHUB_TOKEN")).contains("planted-acme");
        assertThat(secrets.find(FIRST, "GITHUB_TOKEN")).contains("planted-ours");
        assertThat(secrets.find(new TenantId("third"), "GITHUB_TOKEN")).isEmpty();
    }

    @Test
    void a_secret_is_masked_once_it_was_handed_out() {
        Redactor redactor = Redactor.standard().withKnownSecrets(known);
        secrets(Map.of(), Map.of("GITHUB_TOKEN", "planted/token")).find(FIRST, "GITHUB_TOKEN");
        assertThat(redactor.hideKnown("so planted/token it is")).isEqualTo("so [redacted] it is");
        assertThat(redactor.hideKnown("?x=planted%2Ftoken")).as("in an address").isEqualTo("?x=[redacted]");
    }

    @Test
    void a_missing_or_too_large_file_is_reported_without_its_path() throws IOException {
        Path large = Files.writeString(folder.resolve("large"), "planted".repeat(20_000));
        Secrets secrets = secrets(
                Map.of(
                        "acme",
                        Map.of(
                                "GONE", new SecretLocation.InFile(folder.resolve("gone")),
                                "LARGE", new SecretLocation.InFile(large))),
                Map.of());
        assertThatThrownBy(() -> secrets.find(ACME, "GONE"))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("GONE");
        assertThatThrownBy(() -> secrets.find(ACME, "LARGE"))
                .isInstanceOf(Unavailable.class)
                .hasMessageNotContaining("planted");
    }
}
