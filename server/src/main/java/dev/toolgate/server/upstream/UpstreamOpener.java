package dev.toolgate.server.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.GuardedSockets;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.upstream.AnnotationTrust;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamConnectors;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import dev.toolgate.server.tenant.TenantWorkspaces;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.ServerName;
import java.net.URI;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;

/** Opens connections to servers, each limited to the addresses, the folder and the secrets of its tenant. */
public final class UpstreamOpener implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration IDLE_STOP = Duration.ofMinutes(10);

    private final RuntimeSettings runtime;
    private final Path folder;
    private final AddressPolicies addresses;
    private final ServerCredentials credentials;
    private final Redactor redactor;
    /** For OAuth issuers, by tenant. */
    private final Map<TenantId, SocketHttpExchanger> issuers = new ConcurrentHashMap<>();

    /**
     * @param folder the parent of the program folders, by tenant
     * @param known is given OAuth tokens, so that they are masked
     * @param redactor masks the secrets sent to servers, in case they repeat them
     */
    public UpstreamOpener(
            RuntimeSettings runtime,
            Path folder,
            AddressPolicies addresses,
            Secrets secrets,
            KnownSecrets known,
            Redactor redactor,
            Clock clock) {
        this.runtime = runtime;
        this.folder = folder;
        this.addresses = addresses;
        this.redactor = redactor;
        this.credentials = new ServerCredentials(secrets, known, clock);
    }

    /** A connection that is established on first use. */
    Upstream open(TenantId tenant, ServerName name, McpServerSettings settings, UpstreamListener listener) {
        return open(tenant, name, settings, endpoint(tenant, name, settings), listener);
    }

    /** The same for a remote server, with the credentials of a user. */
    Upstream open(
            TenantId tenant,
            ServerName name,
            McpServerSettings settings,
            ServerAuthorization authorization,
            UpstreamListener listener) {
        return open(
                tenant,
                name,
                settings,
                new UpstreamEndpoint.Remote(
                        Objects.requireNonNull(settings.url()),
                        ServerCredentials.check(settings),
                        Map.of(),
                        authorization),
                listener);
    }

    private Upstream open(
            TenantId tenant,
            ServerName name,
            McpServerSettings settings,
            UpstreamEndpoint endpoint,
            UpstreamListener listener) {
        UpstreamSettings upstream = new UpstreamSettings(
                name.value(),
                endpoint,
                settings.allowedTools(),
                settings.capability(),
                settings.timeout(),
                settings.toolTimeouts(),
                IDLE_STOP,
                settings.trustAnnotations() ? AnnotationTrust.READ_ONLY_HINT : AnnotationTrust.NONE,
                UpstreamSettings.Naming.WITH_SERVER);
        return new Upstream(upstream, connectors(tenant), listener, redactor.ofServer(tenant, name.value()));
    }

    private UpstreamEndpoint endpoint(TenantId tenant, ServerName name, McpServerSettings settings) {
        URI url = settings.url();
        if (url != null) {
            return new UpstreamEndpoint.Remote(
                    url,
                    ServerCredentials.check(settings),
                    Map.of(),
                    credentials.of(tenant, name, settings, issuers(tenant)));
        }
        return new UpstreamEndpoint.Program(
                settings.command(), () -> credentials.variables(tenant, settings), settings.egress(), null, List.of());
    }

    /** Sends requests to OAuth issuers, limited to the addresses of a tenant. */
    HttpExchanger issuers(TenantId tenant) {
        return issuers.computeIfAbsent(tenant, this::exchanger);
    }

    /** A secret of a tenant. */
    String secret(TenantId tenant, String name) throws McpFailure {
        return credentials.secret(tenant, name);
    }

    private UpstreamConnectors connectors(TenantId tenant) {
        return UpstreamConnectors.of(
                addresses.of(tenant),
                folder.resolve(TenantWorkspaces.folderName(tenant)),
                runtime.sandboxMode(),
                runtime.sandbox(),
                runtime.environment()::variables);
    }

    private SocketHttpExchanger exchanger(TenantId tenant) {
        try {
            return new SocketHttpExchanger(
                    new GuardedSockets(addresses.of(tenant), Resolver.SYSTEM)::connect,
                    SSLContext.getDefault(),
                    CONNECT_TIMEOUT);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Java has no TLS", impossible);
        }
    }

    @Override
    public void close() {
        issuers.values().forEach(SocketHttpExchanger::close);
    }
}
