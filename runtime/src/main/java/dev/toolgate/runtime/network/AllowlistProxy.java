package dev.toolgate.runtime.network;

import dev.toolgate.core.policy.DomainPatterns;
import dev.toolgate.runtime.network.ProxyRefusal.Status;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An egress proxy that allows only listed hosts. A host is resolved once, its addresses are checked, and the connection
 * goes to exactly those.
 */
public final class AllowlistProxy implements EgressProxy {
    private static final Logger LOG = LoggerFactory.getLogger(AllowlistProxy.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final SocketFolder socketFolder;
    private final DomainPatterns domains;
    private final AddressCheck addresses;
    private final ProxyLimits limits;
    private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
    private final Thread expiryThread;

    private AllowlistProxy(
            SocketFolder socketFolder, DomainPatterns domains, AddressCheck addresses, ProxyLimits limits) {
        this.socketFolder = socketFolder;
        this.domains = domains;
        this.addresses = addresses;
        this.limits = limits;
        this.expiryThread = Thread.ofVirtual().name("toolgate-egress-watch").unstarted(this::closeExpired);
    }

    /**
     * Starts a proxy.
     *
     * @param parent the parent of its own folder; the account must be able to enter it
     * @param account the account that may connect, besides this process
     * @param domains the allowed hosts, exact or {@code *.suffix}
     */
    public static AllowlistProxy start(
            Path parent,
            Account account,
            List<String> domains,
            AddressPolicy policy,
            Resolver resolver,
            ProxyLimits limits)
            throws IOException {
        AllowlistProxy proxy = new AllowlistProxy(
                SocketFolder.create(parent, account),
                new DomainPatterns(domains),
                new AddressCheck(policy, resolver),
                limits);
        Thread.ofVirtual().name("toolgate-egress-accept").start(proxy::acceptAll);
        proxy.expiryThread.start();
        return proxy;
    }

    @Override
    public Path socket() {
        return socketFolder.socket();
    }

    @Override
    public void close() {
        expiryThread.interrupt();
        try {
            socketFolder.close();
        } catch (IOException left) {
            LOG.warn("The socket folder of an egress proxy could not be removed: {}", socketFolder.folder(), left);
        }
        connections.forEach(ProxyConnection::close);
    }

    /** How many clients are connected. */
    int openConnections() {
        return connections.size();
    }

    private void acceptAll() {
        while (true) {
            try {
                serve(socketFolder.channel().accept());
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException shortage) { // most likely out of file descriptors; retried after a pause
                LOG.warn("An egress proxy could not accept a connection", shortage);
                pause();
            }
        }
    }

    private void serve(SocketChannel client) throws IOException {
        ProxyConnection connection = new ProxyConnection(client, domains, addresses, limits);
        if (connections.size() >= limits.maxConnections()) {
            try (connection) {
                connection.refuse(new ProxyRefusal(
                        Status.BUSY, "There are already " + limits.maxConnections() + " connections; close one first"));
            }
            return;
        }
        connections.add(connection);
        Thread.ofVirtual().name("toolgate-egress").start(() -> {
            try {
                connection.run();
            } finally {
                connections.remove(connection);
            }
        });
        if (!socketFolder.channel().isOpen()) {
            connection.close(); // accepted while the proxy was being closed
        }
    }

    private void closeExpired() {
        while (socketFolder.channel().isOpen()) {
            connections.stream().filter(ProxyConnection::isExpired).forEach(ProxyConnection::close);
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException ending) {
            // the loop sees that the proxy is closed
        }
    }
}
