package dev.toolgate.runtime.network;

import dev.toolgate.core.policy.DomainPatterns;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.network.ProxyRefusal.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One client connection of an egress proxy. */
final class ProxyConnection implements Runnable, AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int BUFFER_BYTES = 32 * 1024;

    private final SocketChannel client;
    private final DomainPatterns domains;
    private final AddressCheck addresses;
    private final ProxyLimits limits;
    private volatile long expiresAt;
    private @Nullable SocketChannel server;
    private boolean closed;

    ProxyConnection(SocketChannel client, DomainPatterns domains, AddressCheck addresses, ProxyLimits limits) {
        this.client = client;
        this.domains = domains;
        this.addresses = addresses;
        this.limits = limits;
        this.expiresAt = System.nanoTime() + limits.headerTimeout().toNanos();
    }

    /** Whether it has been idle for too long. */
    boolean isExpired() {
        return System.nanoTime() - expiresAt > 0;
    }

    @Override
    public void run() {
        try (this) {
            serve();
        } catch (IOException gone) {
            // one side closed the connection, or it expired; no peer is left to report it to
        }
    }

    /** Sends the refusal as response. */
    void refuse(ProxyRefusal refusal) throws IOException {
        write(client, ByteBuffer.wrap(refusal.response()));
    }

    private void serve() throws IOException {
        try {
            ProxyHead head = ProxyHead.read(client);
            resetIdleTimer();
            if (head.method().equals("CONNECT")) {
                tunnel(head);
            } else {
                forward(head);
            }
        } catch (ToolFailure failure) {
            refuse(ProxyRefusal.of(failure));
        } catch (ProxyRefusal refusal) {
            refuse(refusal);
        }
    }

    private void tunnel(ProxyHead head) throws IOException, ToolFailure, ProxyRefusal {
        SocketChannel upstream = connect(Authority.parse(head.target(), 443));
        write(
                client,
                ByteBuffer.wrap("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        Thread up = Thread.ofVirtual().start(() -> upload(head.rest(), upstream, Long.MAX_VALUE));
        pump(upstream, client, Long.MAX_VALUE);
        client.shutdownOutput();
        try {
            up.join(); // the client may still be sending; the idle time-out ends it
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    // One request per connection: a second one to another host would bypass the check.
    private void forward(ProxyHead head) throws IOException, ToolFailure, ProxyRefusal {
        HttpTarget target = UrlCheck.parse(head.target());
        if (!target.scheme().equals("http")) {
            throw new ProxyRefusal(Status.BAD_REQUEST, "Use CONNECT for HTTPS");
        }
        long bodyLength = head.bodyLength();
        SocketChannel upstream = connect(target.authority());
        write(upstream, ByteBuffer.wrap(head.forServer(target)));
        Thread.ofVirtual().start(() -> upload(head.rest(), upstream, bodyLength));
        pump(upstream, client, Long.MAX_VALUE);
    }

    private SocketChannel connect(Authority authority) throws IOException, ToolFailure, ProxyRefusal {
        if (!domains.contains(authority.host())) {
            throw new ProxyRefusal(
                    Status.FORBIDDEN, "The host '" + authority.host() + "' is not among the allowed domains");
        }
        if (!limits.ports().contains(authority.port())) {
            throw new ProxyRefusal(Status.FORBIDDEN, "Port " + authority.port() + " is not allowed");
        }
        for (InetAddress address : addresses.addresses(authority)) {
            SocketChannel upstream = adopt(SocketChannel.open());
            try {
                resetIdleTimer();
                upstream.socket().connect(new InetSocketAddress(address, authority.port()), CONNECT_MILLIS);
                return upstream;
            } catch (IOException unreachable) {
                upstream.close(); // try the next address
            }
        }
        throw new ProxyRefusal(Status.BAD_GATEWAY, "The host '" + authority.host() + "' could not be connected to");
    }

    private void upload(ByteBuffer first, SocketChannel upstream, long maxBytes) {
        try {
            if (first.remaining() > maxBytes) {
                first.limit(first.position() + (int) maxBytes);
            }
            long left = maxBytes - first.remaining();
            write(upstream, first);
            if (pump(client, upstream, left) == End.OF_STREAM) {
                upstream.shutdownOutput();
            }
        } catch (IOException gone) {
            // the download ends too, at the latest by its time-out
        }
    }

    private enum End {
        OF_STREAM,
        OF_LIMIT
    }

    private End pump(SocketChannel from, SocketChannel to, long maxBytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        long left = maxBytes;
        while (left > 0) {
            buffer.clear().limit((int) Math.min(BUFFER_BYTES, left));
            int read = from.read(buffer);
            if (read < 0) {
                return End.OF_STREAM;
            }
            left -= read;
            write(to, buffer.flip());
        }
        return End.OF_LIMIT;
    }

    private void write(SocketChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
            resetIdleTimer();
        }
    }

    private void resetIdleTimer() {
        expiresAt = System.nanoTime() + limits.idleTimeout().toNanos();
    }

    private synchronized SocketChannel adopt(SocketChannel upstream) throws IOException {
        server = upstream;
        if (closed) {
            upstream.close();
            throw new ClosedChannelException();
        }
        return upstream;
    }

    @Override
    public synchronized void close() {
        closed = true;
        closeQuietly(client);
        if (server != null) {
            closeQuietly(server);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyBroken) {
            // it is closed either way
        }
    }
}
