package dev.toolgate.http.server;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.routing.Quietness;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.Attributes;

/**
 * Closes connections that send the header of a request byte by byte: each byte ends the idleness that Jetty looks at, so
 * that such a client could stay for days.
 */
final class SlowHeaders implements Connection.Listener, AutoCloseable {
    private final Collection<? extends Connector> connectors;
    private final long longest;
    private final Thread sweeper;

    SlowHeaders(Collection<? extends Connector> connectors, HttpSettings settings) {
        this.connectors = connectors;
        this.longest = settings.idle().plus(settings.patience()).toNanos();
        Duration pause = settings.patience().dividedBy(4);
        this.sweeper = Thread.ofVirtual().name("http-slow-headers").start(() -> sweepEvery(pause));
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof Attributes attributes) {
            Quietness.of(attributes);
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
            // close() wants that
        }
    }

    private void closeIfSlow(EndPoint endPoint) {
        Connection connection = endPoint.getConnection() instanceof SslConnection encrypted
                ? encrypted.getSslEndPoint().getConnection()
                : endPoint.getConnection();
        if (connection instanceof Attributes attributes
                && Quietness.of(attributes).isLongerThan(longest)) {
            endPoint.close(new TimeoutException("The header of a request did not arrive in time."));
        }
    }

    @Override
    public void close() {
        sweeper.interrupt();
    }
}
