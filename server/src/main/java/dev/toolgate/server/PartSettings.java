package dev.toolgate.server;

import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.config.HttpSection;
import dev.toolgate.server.http.HttpSettings;
import dev.toolgate.server.http.TlsCertificate;
import dev.toolgate.server.http.TlsSettings;
import dev.toolgate.server.limit.Limit;
import dev.toolgate.server.limit.LimitSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an operator has set, in the words of the parts it is for. */
final class PartSettings {
    private PartSettings() {}

    static RuntimeSettings runtime(ServerSettings settings) {
        RuntimeSettings runtime = RuntimeSettings.of(
                        settings.workspace(), settings.home().resolve("runtime"))
                .with(settings.sandbox().mode())
                .withLongestCommand(settings.tools().bash().maxTimeout())
                .reaching(settings.network().internalPlaces());
        return settings.centralRoot() == null ? runtime : runtime.withCentralRoot(settings.centralRoot());
    }

    /** Where the tenants but the first have their workspaces. */
    static Path tenantWorkspaces(ServerSettings settings) {
        return settings.tenantWorkspaces() == null
                ? settings.home().resolve("runtime").resolve("tenants")
                : settings.tenantWorkspaces();
    }

    /** Where artifacts are on disk, or on their way to S3. */
    static Path artifacts(ServerSettings settings) {
        return settings.artifacts().folder() == null
                ? settings.home().resolve("artifacts")
                : settings.artifacts().folder();
    }

    static LimitSettings limits(dev.toolgate.server.config.LimitSettings configured) {
        return new LimitSettings(
                limit(configured.perTool()), limit(configured.perAgent()), limit(configured.perTenant()));
    }

    private static @Nullable Limit limit(dev.toolgate.server.config.LimitSettings.@Nullable Rate rate) {
        return rate == null
                ? null
                : new Limit(rate.calls(), rate.period(), rate.burst() == null ? rate.calls() : rate.burst());
    }

    /** The files of the certificate; empty for plain HTTP. */
    static Optional<TlsSettings> tls(HttpSection.Tls tls) {
        return tls.cert() == null || tls.key() == null
                ? Optional.empty()
                : Optional.of(new TlsSettings(tls.cert(), tls.key(), tls.hsts(), TlsSettings.OFTEN));
    }

    static HttpSettings http(ServerSettings settings, @Nullable TlsCertificate tls) {
        HttpSettings usual = HttpSettings.on(settings.host(), settings.ports());
        return new HttpSettings(
                settings.host(),
                settings.ports(),
                settings.http().idleTimeout(),
                settings.http().requestTimeout(),
                usual.slowestBody(),
                settings.http().maxConnections(),
                settings.http().maxConcurrentRequests(),
                usual.mostEventStreams(),
                usual.heartbeat(),
                settings.http().trustedProxyRanges(),
                tls,
                settings.http().grace());
    }
}
