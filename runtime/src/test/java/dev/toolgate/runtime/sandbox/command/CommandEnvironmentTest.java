package dev.toolgate.runtime.sandbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandEnvironmentTest {
    private static final String[] ALWAYS = {"GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"};

    @Test
    void ac7_keys_are_removed_and_the_path_stays() {
        assertThat(CommandEnvironment.standard().from(Map.of("MY_API_KEY", "secret", "PATH", "/usr/bin")))
                .containsEntry("PATH", "/usr/bin")
                .doesNotContainKey("MY_API_KEY");
    }

    @Test
    void only_the_allow_list_is_passed_on() {
        assertThat(CommandEnvironment.standard()
                        .from(Map.of(
                                "PATH", "/usr/bin",
                                "LANG", "C.UTF-8",
                                "LC_TIME", "de_DE",
                                "TZ", "Europe/Berlin",
                                "HOME", "/root",
                                "TERM", "xterm",
                                "ACME_THING", "of another tenant",
                                "EDITOR", "vi",
                                "LD_PRELOAD", "x.so")))
                .containsKeys(ALWAYS)
                .containsKeys("PATH", "LANG", "LC_TIME", "TZ", "HOME", "TERM")
                .hasSize(ALWAYS.length + 6);
    }

    @Test
    void variables_added_by_an_operator_are_passed_on() {
        assertThat(CommandEnvironment.with(List.of("JAVA_HOME", "CI"), List.of())
                        .from(Map.of("JAVA_HOME", "/opt/java", "OTHER", "x")))
                .containsEntry("JAVA_HOME", "/opt/java")
                .doesNotContainKeys("CI", "OTHER");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OTEL_EXPORTER_OTLP_HEADERS",
                "TOOLGATE_HOME",
                "toolgate_jwt_secret",
                "DATABASE_URL",
                "DATABASE_URL_FILE",
                "SHOP_DB",
                "SHOP_DB_FILE",
                "shop_db",
                "GITHUB_TOKEN",
                "MYSQL_PWD",
                "SSHPASS",
                "GIT_CONFIG_COUNT",
                "NOT A NAME",
                ""
            })
    void a_name_that_may_hold_a_secret_cannot_be_added(String name) {
        assertThatThrownBy(() -> CommandEnvironment.with(List.of("CI", name), List.of("SHOP_DB")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'");
    }

    @Test
    void a_password_under_a_harmless_name_is_left_out() {
        assertThat(CommandEnvironment.with(List.of("CACHE_URL"), List.of())
                        .from(Map.of("CACHE_URL", "redis://user:hunter2hunter2@cache.internal:6379")))
                .doesNotContainKey("CACHE_URL");
    }

    @Test
    void a_request_with_a_server_variable_is_refused() {
        Path folder = Path.of("/workspace");

        assertThatThrownBy(() -> CommandRequest.inWholeWorkspace(
                        "env", folder, folder, Map.of("TOOLGATE_ADMIN_KEY", "x"), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TOOLGATE_ADMIN_KEY");
    }
}
