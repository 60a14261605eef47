package dev.toolgate.tools.github;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;

/** Which GitHub the tools work on; the token is a secret of each tenant, {@code GITHUB_TOKEN}. */
public record GitHubSettings(
        @Setting(
                value = "The REST API; https://github.example.com/api/v3 for GitHub Enterprise.",
                initial = "https://api.github.com")
        URI apiUrl,

        @Setting(value = "How long one answer may take.", initial = "30s", least = "100ms", most = "2m")
        Duration timeout) {
    public GitHubSettings {
        try {
            GitHubPlace.of(apiUrl);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("api_url: " + wrong.getMessage(), wrong);
        }
    }

    /** The place itself. */
    public GitHubPlace place() {
        return GitHubPlace.of(apiUrl);
    }
}
