package dev.toolgate.http.server;

import dev.toolgate.core.identity.Authenticator;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.request.RequestSources;
import dev.toolgate.http.routing.Guard;
import dev.toolgate.http.routing.RequestObserver;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.http.routing.RunningRequests;
import dev.toolgate.http.tls.TlsCertificate;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HostHeaderCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** The HTTP server: the same routes on every port. */
public final class HttpServer implements AutoCloseable {
    private static final int MAX_HEADER_BYTES = 16 << 10;
    // Encoded slashes are passed to the routes, of which only some accept them.
    private static final UriCompliance ADDRESSES =
            UriCompliance.RFC3986.with("toolgate", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR);
    private static final int MAX_STREAMS = 128;
    // A burst of connections that outgrows the queue waits for a second or is reset; the default queue holds 50.
    private static final int ACCEPT_QUEUE = 1024;
    private static final Duration SOCKET_CLOSE_TIMEOUT = Duration.ofSeconds(6);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private final HttpSettings settings;
    private final Routes routes;
    private final Server server;
    private final List<ServerConnector> connectors = new ArrayList<>();
    private final List<Integer> ports;
    private final RunningRequests running;
    private final SlowHeaders slowHeaders;
    private final Sockets sockets;

    private HttpServer(
            HttpSettings settings, Routes routes, Authenticator authenticator, RequestObserver observer, Cors cors)
            throws IOException {
        this.settings = settings;
        this.routes = routes;
        this.running = new RunningRequests(settings);
        this.server = new Server(new VirtualThreadPool(0)); // concurrency is bounded by requests, not by threads
        for (int port : settings.ports()) {
            connectors.add(connector(port));
        }
        this.sockets = new Sockets(server, settings.maxEventStreams());
        server.setHandler(new Dispatcher(
                routes,
                new Guard(authenticator, new RequestSources(settings.trustedProxies())),
                running,
                sockets,
                observer,
                settings,
                cors));
        server.setErrorHandler(new MalformedRequests(observer));
        server.addBean(new NetworkConnectionLimit(settings.maxConnections(), server));
        open();
        this.slowHeaders = new SlowHeaders(connectors, settings);
        connectors.forEach(connector -> connector.addBean(slowHeaders));
        start();
        this.ports = connectors.stream().map(ServerConnector::getLocalPort).toList();
    }

    /**
     * Starts a server without observer.
     *
     * @throws IOException in one sentence, if it cannot listen
     */
    public static HttpServer start(HttpSettings settings, Routes routes, Authenticator authenticator)
            throws IOException {
        return start(settings, routes, authenticator, RequestObserver.NONE);
    }

    /**
     * Starts a server without cross-origin access.
     *
     * @throws IOException in one sentence, if it cannot listen
     */
    public static HttpServer start(
            HttpSettings settings, Routes routes, Authenticator authenticator, RequestObserver observer)
            throws IOException {
        return start(settings, routes, authenticator, observer, Cors.NONE);
    }

    /**
     * Starts a server.
     *
     * @param cors cross-origin access
     * @throws IOException in one sentence, if it cannot listen
     */
    public static HttpServer start(
            HttpSettings settings, Routes routes, Authenticator authenticator, RequestObserver observer, Cors cors)
            throws IOException {
        return new HttpServer(settings, routes, authenticator, observer, cors);
    }

    private ServerConnector connector(int port) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(true);
        http.setRequestHeaderSize(MAX_HEADER_BYTES);
        http.setHttpCompliance(HttpCompliance.STRICT);
        http.setUriCompliance(ADDRESSES);
        ServerConnector connector = new ServerConnector(server, 1, -1, protocols(http));
        connector.setHost(settings.host());
        connector.setPort(port);
        connector.setIdleTimeout(settings.idle().toMillis());
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        server.addConnector(connector);
        return connector;
    }

    private ConnectionFactory[] protocols(HttpConfiguration http) {
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        TlsCertificate tls = settings.tls();
        if (tls == null) {
            return new ConnectionFactory[] {http1};
        }
        // No SNI check: local clients and proxies may use an address that the certificate does not name.
        SecureRequestCustomizer secure = new SecureRequestCustomizer(false);
        Duration hsts = tls.settings().hsts();
        if (hsts != null) {
            secure.setStsMaxAge(hsts.toSeconds());
        }
        http.addCustomizer(secure);
        http.addCustomizer(new HostHeaderCustomizer()); // HTTP/2 sends it as :authority
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setConnectProtocolEnabled(false); // WebSockets use HTTP/1.1
        http2.setMaxConcurrentStreams(MAX_STREAMS);
        ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory("h2", "http/1.1");
        choice.setDefaultProtocol("http/1.1");
        return new ConnectionFactory[] {
            new SslConnectionFactory(tls.factory(), choice.getProtocol()), choice, http2, http1
        };
    }

    private void open() throws IOException {
        try {
            for (ServerConnector connector : connectors) {
                open(connector);
            }
        } catch (IOException cannotListen) {
            connectors.forEach(ServerConnector::close);
            throw cannotListen;
        }
    }

    private void open(ServerConnector connector) throws IOException {
        try {
            connector.open();
        } catch (IOException | RuntimeException failure) {
            boolean taken = failure.getCause() instanceof BindException bind
                    && String.valueOf(bind.getMessage()).contains("in use");
            throw new IOException(
                    "Port " + connector.getPort() + " on " + settings.host() + " "
                            + (taken ? "is already in use" : "cannot be opened: " + failure.getMessage())
                            + "; stop the program that has it, or choose another with --port or TOOLGATE_PORTS.",
                    failure);
        }
    }

    private void start() throws IOException {
        try {
            server.start();
        } catch (Exception failure) {
            close();
            throw new IOException("The HTTP server did not start: " + failure.getMessage(), failure);
        }
    }

    /** All routes. */
    public Routes routes() {
        return routes;
    }

    /** The ports it listens on, in the order of the settings. */
    public List<Integer> ports() {
        return ports;
    }

    /** The URL of the first port. */
    public String url() {
        String host =
                switch (settings.host()) {
                    case "0.0.0.0", "::" -> "localhost";
                    case String name when name.contains(":") -> "[" + name + "]";
                    case String name -> name;
                };
        return (settings.tls() == null ? "http://" : "https://") + host + ":" + ports.getFirst();
    }

    /** Stops with the grace period of the settings. */
    @Override
    public void close() throws IOException {
        stop(settings.grace());
    }

    /** Stops accepting, ends event streams, waits up to the grace period for running requests, then interrupts them. */
    public void stop(Duration grace) throws IOException {
        slowHeaders.close();
        connectors.forEach(connector -> {
            var _ = connector.shutdown(); // completes when all connections are closed, which is not awaited
            connector.close();
        });
        running.beginStopping();
        sockets.beginStopping();
        try {
            running.awaitNone(grace);
            sockets.awaitNone(SOCKET_CLOSE_TIMEOUT);
            running.interruptAll();
            running.awaitNone(AFTER_INTERRUPT);
            server.stop();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The HTTP server was interrupted while it stopped.");
        } catch (Exception failure) {
            throw new IOException("The HTTP server did not stop cleanly: " + failure.getMessage(), failure);
        }
    }
}
