package dev.toolgate.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.tools.build.BuildTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteSettingsTest {
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    private Path folder;

    private ServerSettings load(String yaml) throws IOException {
        return ServerSettings.load(Files.writeString(folder.resolve("toolgate.yaml"), yaml), Map.of(), Map.of());
    }

    @Test
    void databases_vaults_and_builds_belong_to_their_tenant() throws IOException {
        ServerSettings settings = load("""
                secrets: {acme: {DB_PASSWORD: 'env:ACME_DB', T: 'file:/run/t'}}
                databases: {acme: {prod: {url: 'postgresql://db/shop', user: reader, password: DB_PASSWORD, max_rows: 5}}}
                vaults: {acme: {address: 'https://vault.example.com', namespace: team}}
                builds:
                  acme:
                    release: {kind: github_actions, repository: octo/shop, workflow: r.yml, refs: [v2], parameters: [level]}
                    nightly: {kind: jenkins, base_url: 'https://ci', job: a/b, user: bot}
                """);
        ConfiguredDatabases databases = new ConfiguredDatabases(settings.databases(), Map.of());
        assertThat(databases.find(ACME, "prod").orElseThrow().maxRows()).isEqualTo(5);
        assertThat(databases.find(Principal.FIRST_TENANT, "prod")).isEmpty();
        ConfiguredVaults vaults = new ConfiguredVaults(settings.vaults(), Map.of());
        assertThat(vaults.of(ACME).orElseThrow().tokenName()).isEqualTo("VAULT_TOKEN");
        assertThat(vaults.of(Principal.FIRST_TENANT)).isEmpty();
        ConfiguredBuilds builds = new ConfiguredBuilds(settings.builds());
        assertThat(builds.find(ACME, "release"))
                .get()
                .isInstanceOfSatisfying(BuildTarget.GitHubActions.class, actions -> assertThat(actions.refs())
                        .containsExactly("main", "v2"));
        assertThat(builds.find(ACME, "nightly")).get().isInstanceOf(BuildTarget.Jenkins.class);
        assertThat(builds.find(Principal.FIRST_TENANT, "release")).isEmpty();
    }

    @Test
    void the_environment_applies_to_the_first_tenant_only() {
        Map<String, String> environment = Map.of(
                "TOOLGATE_DB_PROD_READONLY_URL", "postgresql://db/shop",
                "TOOLGATE_DB_PROD_READONLY_USER", "reader",
                "TOOLGATE_DB_PROD_READONLY_PASSWORD_FILE", "/run/x",
                "VAULT_ADDR", "https://vault.example.com");
        ConfiguredDatabases databases = new ConfiguredDatabases(Map.of(), environment);
        assertThat(databases
                        .find(Principal.FIRST_TENANT, "prod-readonly")
                        .orElseThrow()
                        .passwordName())
                .isEqualTo("TOOLGATE_DB_PROD_READONLY_PASSWORD");
        assertThat(databases.find(ACME, "prod-readonly")).isEmpty();
        assertThat(new ConfiguredVaults(Map.of(), environment).of(Principal.FIRST_TENANT))
                .isPresent();
        assertThat(new ConfiguredVaults(Map.of(), environment).of(ACME)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "secrets: {acme: {T: planted-secret}} | secrets: acme: T: must be the location of the secret: env:VARIABLE or file:/path.",
                "databases: {acme: {prod: {user: x}}} | databases: acme: prod: url: is missing.",
                "databases: {acme: {prod: {url: x, max_rows: 0}}} | databases: acme: prod: max_rows: must be at least 1.",
                "databases: {acme: {prod: {url: x, max_row: 5}}} | databases: acme: prod: max_row: is not a setting; the nearest one is max_rows.",
                "builds: {acme: {x: {kind: jenkins}}} | builds: acme: x: base_url: is missing.",
                "builds: {acme: {x: {kind: make}}} | builds: acme: x: kind: must be one of github_actions, jenkins.",
                "vaults: {acme: {address: ftp}} | vaults: acme: address: must be a URL such as https://example.com/keys.",
                "databases: {acme: 5} | databases: acme: must be a mapping of keys to values.",
            })
    void invalid_settings_are_named_without_their_values(String yaml, String message) {
        assertThatThrownBy(() -> load(yaml)).hasMessage(message);
    }

    @Test
    void a_database_url_that_could_undo_the_protection_stops_the_start() throws IOException {
        ServerSettings settings = load("databases: {acme: {prod: {url: 'postgresql://u:planted@db/shop'}}}");
        assertThatThrownBy(() -> new ConfiguredDatabases(settings.databases(), Map.of()))
                .hasMessageStartingWith("databases.acme.prod.url: must not contain credentials")
                .hasMessageNotContaining("planted");
    }

    @Test
    void every_example_of_the_guide_is_accepted() throws IOException {
        String guide =
                Files.readString(Path.of(System.getProperty("toolgate.root"), "docs", "guides", "remote-tools.md"));
        List<String> examples = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(guide)
                .results()
                .map(example -> example.group(1))
                .toList();
        assertThat(examples).hasSize(4);
        for (String example : examples) {
            assertThat(new ConfiguredDatabases(load(example).databases(), Map.of()))
                    .isNotNull();
        }
    }
}
