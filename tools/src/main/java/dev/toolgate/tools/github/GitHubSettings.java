package dev.toolgate.tools.github;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;

/** Settings of the GitHub tools; the token is a secret of each tenant, {@code GITHUB_TOKEN}. */
public record GitHubSettings(
        @Setting(
                value = "The URL of the REST API; https://github.example.com/api/v3 for GitHub Enterprise.",
                defaultValue = "https://api.github.com")
        URI apiUrl,

        @Setting(value = "The time limit of one request.", defaultValue = "30s", min = "100ms", max = "2m")
        Duration timeout) {
    public GitHubSettings {
        try {
            GitHubInstance.of(apiUrl);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("api_url: " + wrong.getMessage(), wrong);
        }
    }

    /** The configured instance. */
    public GitHubInstance instance() {
        return GitHubInstance.of(apiUrl);
    }
}
