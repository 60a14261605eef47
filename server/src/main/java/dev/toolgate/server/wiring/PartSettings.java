package dev.toolgate.server.wiring;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.limit.RefusedCalls;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.tls.TlsCertificate;
import dev.toolgate.http.tls.TlsSettings;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.sandbox.command.CommandEnvironment;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import dev.toolgate.server.config.HttpSection;
import dev.toolgate.server.config.LimitSettings;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.limit.Limit;
import dev.toolgate.server.limit.RateLimitSettings;
import dev.toolgate.server.limit.RefusalLimit;
import dev.toolgate.server.secret.SecretVariables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts the settings for the parts of the server. */
final class PartSettings {
    private PartSettings() {}

    /**
     * @throws IllegalArgumentException if a setting is invalid
     */
    static RuntimeSettings runtime(ServerSettings settings) {
        RuntimeSettings runtime = RuntimeSettings.of(
                        settings.workspace(), settings.home().resolve("runtime"))
                .with(settings.sandbox().mode())
                .with(SandboxSettings.standard()
                        .with(DangerousPaths.of(settings.sandbox().dangerousPaths()))
                        .with(settings.sandbox().commands()))
                .with(environment(settings))
                .withMaxCommandTimeout(settings.tools().bash().maxTimeout());
        return settings.centralRoot() == null ? runtime : runtime.withCentralRoot(settings.centralRoot());
    }

    /** The parent folder of the workspaces of all tenants but the first. */
    static Path tenantWorkspaces(ServerSettings settings) {
        return settings.tenantWorkspaces() == null
                ? settings.home().resolve("runtime").resolve("tenants")
                : settings.tenantWorkspaces();
    }

    /** The folder of artifacts, or of uploads on their way to S3. */
    static Path artifacts(ServerSettings settings) {
        return settings.artifacts().folder() == null
                ? settings.home().resolve("artifacts")
                : settings.artifacts().folder();
    }

    /** By tenant, the internal addresses its tools may reach. */
    static Map<TenantId, List<String>> internalPlaces(ServerSettings settings) {
        return settings.network().internalPlaces().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(places -> new TenantId(places.getKey()), Map.Entry::getValue));
    }

    private static CommandEnvironment environment(ServerSettings settings) {
        try {
            return CommandEnvironment.with(settings.sandbox().environment(), SecretVariables.of(settings));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("sandbox.environment: " + wrong.getMessage(), wrong);
        }
    }

    static RateLimitSettings limits(LimitSettings configured) {
        return new RateLimitSettings(
                limit(configured.perTool()), limit(configured.perAgent()), limit(configured.perTenant()));
    }

    static RefusedCalls refused(LimitSettings.RefusedRate rate) {
        return rate.calls() == 0 ? RefusedCalls.UNCOUNTED : RefusalLimit.of(Limit.of(rate.calls(), rate.period()));
    }

    private static @Nullable Limit limit(LimitSettings.@Nullable Rate rate) {
        return rate == null
                ? null
                : new Limit(rate.calls(), rate.period(), rate.burst() == null ? rate.calls() : rate.burst());
    }

    /** The TLS settings; empty for plain HTTP. */
    static Optional<TlsSettings> tls(HttpSection.Tls tls) {
        return tls.cert() == null || tls.key() == null
                ? Optional.empty()
                : Optional.of(new TlsSettings(tls.cert(), tls.key(), tls.hsts(), TlsSettings.DEFAULT_CHECK_INTERVAL));
    }

    static HttpSettings http(ServerSettings settings, @Nullable TlsCertificate tls) {
        HttpSettings defaults = HttpSettings.on(settings.host(), settings.ports());
        return new HttpSettings(
                settings.host(),
                settings.ports(),
                settings.http().idleTimeout(),
                settings.http().requestTimeout(),
                defaults.minBodyRate(),
                settings.http().maxConnections(),
                settings.http().maxConcurrentRequests(),
                defaults.maxEventStreams(),
                defaults.heartbeat(),
                settings.http().trustedProxyRanges(),
                tls,
                settings.http().grace());
    }
}
