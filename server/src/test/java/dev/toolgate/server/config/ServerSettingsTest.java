package dev.toolgate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.toolgate.runtime.sandbox.command.SandboxMode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSettingsTest {
    @TempDir
    private Path home;

    private ServerSettings load(String yaml, Map<String, String> environment, Map<String, String> options)
            throws IOException {
        Path file = Files.writeString(home.resolve("some.yaml"), yaml);
        return ServerSettings.load(file, environment, options);
    }

    private ServerSettings load(String yaml) throws IOException {
        return load(yaml, Map.of(), Map.of());
    }

    private String complaint(String yaml) {
        return complaint(yaml, Map.of(), Map.of());
    }

    private String complaint(String yaml, Map<String, String> environment, Map<String, String> options) {
        InvalidSettings wrong = assertThatExceptionOfType(InvalidSettings.class)
                .isThrownBy(() -> load(yaml, environment, options))
                .actual();
        return String.valueOf(wrong.getMessage());
    }

    @Test
    void without_any_source_the_defaults_apply() throws IOException {
        ServerSettings settings = ServerSettings.load(null, Map.of("TOOLGATE_HOME", home.toString()), Map.of());
        assertThat(settings.home()).isEqualTo(home);
        assertThat(settings.workspace()).isEqualTo(home.resolve("workspace"));
        assertThat(settings.host()).isEqualTo("127.0.0.1");
        assertThat(settings.ports()).containsExactly(8001, 3001);
        assertThat(settings.database().url()).isNull();
        assertThat(settings.http().idleTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.http().maxBody().bytes()).isEqualTo(10 * 1024 * 1024);
        assertThat(settings.limits().perAgent()).isNull();
        assertThat(settings.costs()).isEmpty();
        assertThat(settings.audit().retention()).isEqualTo(Duration.ofDays(365));
        assertThat(settings.audit().violationsRetention()).isEqualTo(Duration.ofDays(1095));
        assertThat(settings.redaction().enabled()).isTrue();
        assertThat(settings.telemetry().captureContent()).isFalse();
        assertThat(settings.sandbox().mode()).isEqualTo(SandboxMode.CONFINED);
    }

    @Test
    void the_home_is_in_the_users_folder_by_default() {
        assertThat(ServerSettings.load(null, Map.of(), Map.of("host", "::1")).home())
                .isEqualTo(Path.of(System.getProperty("user.home"), ".toolgate"));
    }

    @Test
    void the_file_in_the_home_is_read_by_default() throws IOException {
        Files.writeString(home.resolve("toolgate.yaml"), "host: 0.0.0.0\n");
        Map<String, String> environment = Map.of("TOOLGATE_HOME", home.toString());
        assertThat(ServerSettings.load(null, environment, Map.of()).host()).isEqualTo("0.0.0.0");
    }

    @Test
    void the_command_line_overrides_the_environment_and_that_the_file() throws IOException {
        String yaml = "ports: [1]\nhost: file\nhttp: {grace: 7s}\nlog: {level: error, format: json}";
        Map<String, String> environment =
                Map.of("TOOLGATE_PORTS", "2, 3", "TOOLGATE_HOST", "env", "LOG_LEVEL", "DEBUG");
        ServerSettings settings = load(yaml, environment, Map.of("ports", "0,0"));
        assertThat(settings.ports()).containsExactly(0, 0);
        assertThat(settings.host()).isEqualTo("env");
        assertThat(settings.http().grace()).isEqualTo(Duration.ofSeconds(7));
        assertThat(settings.log()).isEqualTo(new LogSettings(LogSettings.Level.DEBUG, LogSettings.Format.JSON));
    }

    @Test
    void an_empty_environment_variable_counts_as_not_set() throws IOException {
        assertThat(load("host: file", Map.of("TOOLGATE_HOST", ""), Map.of()).host())
                .isEqualTo("file");
    }

    @Test
    void a_mistake_in_an_mcp_server_names_the_server() {
        String servers = "mcp_servers: {acme: {mail: {url: 'https://mail.example.com/mcp', credentials: {kind: user,"
                + " client_id: gate}}}}";
        assertThat(complaint(servers))
                .contains("mcp_servers: acme: mail: credentials.issuer: must be set together with client_id");
        assertThat(complaint(servers.replace("mail:", "a__b:"))).contains("mcp_servers: acme: a__b: The name");
    }

    @Test
    void limits_and_costs_are_read() throws IOException {
        ServerSettings settings =
                load("limits: {per_agent: {calls: 10, period: 5m}}\ncosts: {bash: 0.25, http_request: 2}");
        assertThat(settings.limits().perAgent()).isEqualTo(new LimitSettings.Rate(10, Duration.ofMinutes(5), null));
        assertThat(settings.costs())
                .containsEntry("bash", new BigDecimal("0.25"))
                .containsEntry("http_request", new BigDecimal("2"));
    }

    @Test
    void secrets_are_read_from_files_without_the_trailing_line_end() throws IOException {
        Path key = Files.writeString(home.resolve("key"), "tg_0123456789abcdef\n");
        Path url = Files.writeString(home.resolve("url"), "postgresql://u:p@h/d\r\n");
        ServerSettings settings = load(
                "", Map.of("TOOLGATE_ADMIN_KEY_FILE", key.toString(), "DATABASE_URL_FILE", url.toString()), Map.of());
        assertThat(settings.auth().adminKey()).isEqualTo(new Secret("tg_0123456789abcdef"));
        assertThat(settings.database().url()).isEqualTo(new Secret("postgresql://u:p@h/d"));
    }

    @Test
    void a_variable_and_its_file_together_are_refused() {
        assertThat(complaint("", Map.of("DATABASE_URL", "a", "DATABASE_URL_FILE", "b"), Map.of()))
                .isEqualTo("DATABASE_URL: is set together with DATABASE_URL_FILE; keep one of them.");
        assertThat(complaint(
                        "", Map.of("DATABASE_URL_FILE", home.resolve("none").toString()), Map.of()))
                .isEqualTo("DATABASE_URL_FILE: the file cannot be read; check its path and permissions.");
    }

    @Test
    void no_secret_is_in_the_text_of_the_settings() throws IOException {
        ServerSettings settings = load("""
                database: {url: "postgresql://u:planted-one@h/d"}
                auth: {admin_key: tg_planted-two-0123, jwt: {secret: planted-three-0123456789abcdefghijk}}
                """);
        assertThat(settings.auth().jwt().secret()).isNotNull();
        assertThat(settings.toString()).doesNotContain("planted").contains("[redacted]");
    }

    @Test
    void a_former_name_of_a_setting_still_works() throws IOException {
        assertThat(load("approvals: {patience: 7s}").approvals().timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(load("approvals: {timeout: 8s}").approvals().timeout()).isEqualTo(Duration.ofSeconds(8));
        assertThat(complaint("approvals: {patience: 7s, timeout: 8s}"))
                .isEqualTo("approvals.patience: is the former name of approvals.timeout; keep only the new one.");
        assertThat(load("approvals: {patience: 7s}", Map.of(), Map.of("approvals.timeout", "9s"))
                        .approvals()
                        .timeout())
                .isEqualTo(Duration.ofSeconds(9));
        assertThat(load("approvals: {timeout: 7s}", Map.of(), Map.of("approvals.patience", "9s"))
                        .approvals()
                        .timeout())
                .isEqualTo(Duration.ofSeconds(9));
        assertThat(complaint("audit: {patience: 1ms}")).startsWith("audit.patience: must be at least 100ms");
    }

    @Test
    void an_unknown_key_is_named_with_the_nearest_known_one() {
        assertThat(complaint("http: {idle_timout: 3s}"))
                .isEqualTo("http.idle_timout: is not a setting; the nearest one is http.idle_timeout.");
        assertThat(complaint("idle_timeout: 3s")).contains("the nearest one is http.idle_timeout");
        assertThat(complaint("", Map.of(), Map.of("port", "1")))
                .contains("port: is not a setting")
                .contains("ports");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http: {idle_timeout: 30}          | http.idle_timeout: must be a duration such as 30s.",
                "http: {idle_timeout: 30 seconds}  | http.idle_timeout: must be a duration such as 30s.",
                "http: {idle_timeout: 0s}          | http.idle_timeout: must be at least 1s.",
                "http: {max_body: 10}              | http.max_body: must be a size such as 1MB.",
                "http: {max_connections: many}     | http.max_connections: must be a whole number.",
                "http: {max_connections: 0}        | http.max_connections: must be at least 1.",
                "http: soon                        | http: must be a section with keys.",
                "ports: 8001                       | ports: must be a list.",
                "ports: []                         | ports: must have at least 1 item.",
                "ports: [70000]                    | ports: must be at most 65535.",
                "ports: [1, 1]                     | ports: must not name a port twice.",
                "log: {level: loud}                | log.level: must be one of trace, debug, info, warn, error, off.",
                "costs: {bash: -1}                 | costs: must be at least 0.",
                "limits: {per_tool: {period: 1m}}  | limits.per_tool.calls: is missing.",
                "redaction: {enabled: 1}           | redaction.enabled: must be true or false.",
                "redaction: {patterns: ['(']}      | redaction.patterns: must be a regular expression: Unclosed group.",
                "auth: {jwt: {jwks_url: nowhere}}  | auth.jwt.jwks_url: must be a URL such as https://example.com/keys.",
                "auth: {jwt: {secret: short}}      | auth.jwt.secret: must have at least 32 characters.",
                "auth: {keys: {expire_after: 0d}}  | auth.keys.expire_after: must be a duration such as 90d, or never.",
                "auth: {keys: {expire_after: soon}} | auth.keys.expire_after: must be a duration such as 90d, or never.",
                "http: {trusted_proxies: [proxy]}  | http.trusted_proxies: must be addresses or ranges such as 10.0.0.0/8, which 'proxy' is not.",
                "http: {trusted_proxies: [10.0.0.0/33]} | http.trusted_proxies: must be addresses or ranges such as 10.0.0.0/8, which '10.0.0.0/33' is not.",
                "host: 5                           | host: must be text.",
                "tools: {web: {summary_model: gpt}} | tools.web.summary_model: must be a provider and a model such as claude/claude-haiku-4-5; the providers are claude, openai, ollama.",
                "audit: {retention: 2000d}         | audit.violations_retention: must not be shorter than retention.",
            })
    void a_wrong_value_is_named_in_one_sentence(String yaml, String sentence) {
        assertThat(complaint(yaml)).isEqualTo(sentence);
    }

    @Test
    void a_wrong_value_from_the_environment_is_named_by_its_variable() {
        assertThat(complaint("", Map.of("TOOLGATE_PORTS", "http"), Map.of()))
                .isEqualTo("TOOLGATE_PORTS: must be a whole number.");
    }

    @Test
    void all_problems_are_reported_together() {
        assertThat(complaint("host: 5\nports: 1")).isEqualTo("host: must be text; ports: must be a list.");
    }

    @Test
    void a_broken_file_is_refused_without_quoting_it() {
        assertThat(complaint("auth:\n  admin_key: planted\n bad: ["))
                .contains("near line")
                .doesNotContain("planted");
        assertThat(complaint("host: a\nhost: b")).contains("near line 2");
        assertThat(complaint("- a")).contains("must be a mapping of keys to values");
        assertThatExceptionOfType(InvalidSettings.class)
                .isThrownBy(() -> ServerSettings.load(home.resolve("none.yaml"), Map.of(), Map.of()))
                .withMessageContaining("does not exist");
    }
}
