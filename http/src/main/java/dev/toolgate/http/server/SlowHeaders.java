package dev.toolgate.http.server;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.routing.ConnectionIdleness;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.Attributes;

/**
 * Closes connections that send headers byte by byte. Each byte resets Jetty's idle time-out, so such a client could
 * otherwise stay connected for days.
 */
final class SlowHeaders implements Connection.Listener, AutoCloseable {
    private final Collection<? extends Connector> connectors;
    private final long maxNanos;
    private final Thread sweeper;

    SlowHeaders(Collection<? extends Connector> connectors, HttpSettings settings) {
        this.connectors = connectors;
        this.maxNanos = settings.idle().plus(settings.requestTimeout()).toNanos();
        Duration pause = settings.requestTimeout().dividedBy(4);
        this.sweeper = Thread.ofVirtual().name("http-slow-headers").start(() -> sweepEvery(pause));
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof Attributes attributes) {
            ConnectionIdleness.of(attributes);
        }
    }

    private void sweepEvery(Duration pause) {
        try {
            while (true) {
                Thread.sleep(pause);
                connectors.forEach(
                        connector -> connector.getConnectedEndPoints().forEach(this::closeIfSlow));
            }
        } catch (InterruptedException stopped) {
            // by close()
        }
    }

    private void closeIfSlow(EndPoint endPoint) {
        Connection connection = endPoint.getConnection() instanceof SslConnection encrypted
                ? encrypted.getSslEndPoint().getConnection()
                : endPoint.getConnection();
        if (connection instanceof Attributes attributes
                && ConnectionIdleness.of(attributes).isLongerThan(maxNanos)) {
            endPoint.close(new TimeoutException("The header of a request did not arrive in time."));
        }
    }

    @Override
    public void close() {
        sweeper.interrupt();
    }
}
