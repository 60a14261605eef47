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
    private static final int LARGEST_HEADER = 16 << 10;
    // An encoded slash is let through to the routes, of which only some take it.
    private static final UriCompliance ADDRESSES =
            UriCompliance.RFC3986.with("toolgate", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR);
    private static final int MOST_STREAMS = 128;
    private static final Duration LAST_WORDS = Duration.ofSeconds(6);
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
        this.server = new Server(new VirtualThreadPool(0)); // what runs at once is bounded by requests, not by tasks
        for (int port : settings.ports()) {
            connectors.add(connector(port));
        }
        this.sockets = new Sockets(server, settings.mostEventStreams());
        server.setHandler(new Dispatcher(
                routes,
                new Guard(authenticator, new RequestSources(settings.trustedProxies())),
                running,
                sockets,
                observer,
                settings,
                cors));
        server.setErrorHandler(new BrokenRequests(observer));
        server.addBean(new NetworkConnectionLimit(settings.mostConnections(), server));
        open();
        this.slowHeaders = new SlowHeaders(connectors, settings);
        connectors.forEach(connector -> connector.addBean(slowHeaders));
        start();
        this.ports = connectors.stream().map(ServerConnector::getLocalPort).toList();
    }

    /**
     * Starts a server that nobody observes.
     *
     * @throws IOException in one sentence, if it cannot listen
     */
    public static HttpServer start(HttpSettings settings, Routes routes, Authenticator authenticator)
            throws IOException {
        return start(settings, routes, authenticator, RequestObserver.NOBODY);
    }

    /**
     * Starts a server that no page of another origin may read.
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
     * @param cors which pages of other origins may ask what
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
        http.setRequestHeaderSize(LARGEST_HEADER);
        http.setHttpCompliance(HttpCompliance.STRICT);
        http.setUriCompliance(ADDRESSES);
        ServerConnector connector = new ServerConnector(server, 1, -1, protocols(http));
        connector.setHost(settings.host());
        connector.setPort(port);
        connector.setIdleTimeout(settings.idle().toMillis());
        server.addConnector(connector);
        return connector;
    }

    private ConnectionFactory[] protocols(HttpConfiguration http) {
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        TlsCertificate tls = settings.tls();
        if (tls == null) {
            return new ConnectionFactory[] {http1};
        }
        // A certificate need not name the address that a client on the same machine or behind a proxy uses.
        SecureRequestCustomizer secure = new SecureRequestCustomizer(false);
        Duration hsts = tls.settings().hsts();
        if (hsts != null) {
            secure.setStsMaxAge(hsts.toSeconds());
        }
        http.addCustomizer(secure);
        http.addCustomizer(new HostHeaderCustomizer()); // HTTP/2 calls it :authority
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setConnectProtocolEnabled(false); // WebSockets come by HTTP/1.1
        http2.setMaxConcurrentStreams(MOST_STREAMS);
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

    /** Everything it can be asked. */
    public Routes routes() {
        return routes;
    }

    /** The ports it listens on, in the order of the settings. */
    public List<Integer> ports() {
        return ports;
    }

    /** Where to reach it: the first port. */
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

    /**
     * Accepts nothing more, ends event streams, gives running requests this long to finish, then interrupts them.
     */
    public void stop(Duration grace) throws IOException {
        slowHeaders.close();
        connectors.forEach(connector -> {
            var _ = connector.shutdown(); // done when all connections are gone, which is not waited for
            connector.close();
        });
        running.beginStopping();
        sockets.beginStopping();
        try {
            running.awaitNone(grace);
            sockets.awaitNone(LAST_WORDS);
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
