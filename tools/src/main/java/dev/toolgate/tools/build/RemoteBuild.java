package dev.toolgate.tools.build;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a build for {@code remote_build}. */
public record RemoteBuild(
        @Setting("The build service.") Kind kind,

        @Setting("The URL of the service; https://api.github.com for GitHub Actions if not set.") @Nullable
        URI baseUrl,

        @Setting("GitHub Actions: the repository, for example octo/shop.") @Nullable
        String repository,

        @Setting("GitHub Actions: the file of the workflow, for example release.yml.") @Nullable
        String workflow,

        @Setting(value = "GitHub Actions: the branch or tag to build.", defaultValue = "main", minLength = 1)
        String ref,

        @Setting("GitHub Actions: other branches and tags a caller may choose.")
        List<String> refs,

        @Setting("Jenkins: the job, for example team/shop.") @Nullable
        String job,

        @Setting("Jenkins: the user of the token.") @Nullable
        String user,

        @Setting("The name of the secret that holds the token; GITHUB_TOKEN or JENKINS_TOKEN if not set.") @Nullable
        String token,

        @Setting("The parameters a caller may set.") List<String> parameters,

        @Setting(value = "How often to poll the state of a build.", defaultValue = "5s", min = "50ms", max = "1m")
        Duration pollInterval) {

    /** A kind of build service. */
    public enum Kind {
        GITHUB_ACTIONS,
        JENKINS
    }

    public RemoteBuild {
        refs = List.copyOf(refs);
        parameters = List.copyOf(parameters);
        switch (kind) {
            case GITHUB_ACTIONS -> {
                need(repository, "repository");
                need(workflow, "workflow");
            }
            case JENKINS -> {
                need(baseUrl, "base_url");
                need(job, "job");
                need(user, "user");
            }
        }
    }

    private static void need(@Nullable Object value, String key) {
        if (value == null) {
            throw new IllegalArgumentException(key + ": is missing");
        }
    }
}
