package dev.toolgate.runtime.sandbox.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentFilterTest {
    @Test
    void ac7_keys_are_removed_and_the_path_stays() {
        assertThat(EnvironmentFilter.sanitise(List.of("MY_API_KEY=secret", "PATH=/usr/bin")))
                .containsExactly("PATH=/usr/bin");
    }

    @Test
    void removes_every_sensitive_name_whatever_its_case() {
        assertThat(EnvironmentFilter.sanitise(Map.of(
                        "github_token", "1",
                        "Client_Secret", "2",
                        "DB_PASSWORD", "3",
                        "GOOGLE_APPLICATION_CREDENTIALS", "4",
                        "SSH_KEY", "5",
                        "HOME", "/home/me",
                        "LANG", "C.UTF-8")))
                .containsOnlyKeys("HOME", "LANG");
    }

    @Test
    void removes_passwords_with_shortened_names() {
        assertThat(EnvironmentFilter.sanitise(Map.of(
                        "DB_PASS", "1",
                        "SSHPASS", "2",
                        "MYSQL_PWD", "3",
                        "BORG_PASSPHRASE", "4",
                        "PWD", "/here",
                        "OLDPWD", "/there",
                        "BYPASS_CACHE", "1")))
                .containsOnlyKeys("PWD", "OLDPWD", "BYPASS_CACHE");
    }

    @Test
    void looks_at_names_and_not_at_values() {
        assertThat(EnvironmentFilter.sanitise(List.of("EDITOR=keytool", "EMPTY=", "ODD")))
                .containsExactly("EDITOR=keytool", "EMPTY=", "ODD");
    }
}
