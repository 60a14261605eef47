package dev.toolgate.server.remote;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.tools.build.BuildTarget;
import dev.toolgate.tools.build.BuildTargets;
import dev.toolgate.tools.build.RemoteBuild;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Builds from {@code builds.<tenant>.<name>}. */
public final class ConfiguredBuilds implements BuildTargets {
    private static final URI GITHUB = URI.create("https://api.github.com");

    private final Map<String, Map<String, RemoteBuild>> settings;

    public ConfiguredBuilds(Map<String, Map<String, RemoteBuild>> settings) {
        this.settings = settings;
    }

    @Override
    public Optional<BuildTarget> find(TenantId tenant, String name) {
        return Optional.ofNullable(
                        settings.getOrDefault(tenant.value(), Map.of()).get(name))
                .map(ConfiguredBuilds::target);
    }

    private static BuildTarget target(RemoteBuild build) {
        return switch (build.kind()) {
            case GITHUB_ACTIONS -> {
                List<String> refs = new ArrayList<>(List.of(build.ref()));
                refs.addAll(build.refs());
                yield new BuildTarget.GitHubActions(
                        Objects.requireNonNullElse(build.baseUrl(), GITHUB),
                        Objects.requireNonNull(build.repository()),
                        Objects.requireNonNull(build.workflow()),
                        refs,
                        Objects.requireNonNullElse(build.token(), "GITHUB_TOKEN"),
                        build.parameters(),
                        build.pollInterval());
            }
            case JENKINS ->
                new BuildTarget.Jenkins(
                        Objects.requireNonNull(build.baseUrl()),
                        Objects.requireNonNull(build.job()),
                        Objects.requireNonNull(build.user()),
                        Objects.requireNonNullElse(build.token(), "JENKINS_TOKEN"),
                        build.parameters(),
                        build.pollInterval());
        };
    }
}
