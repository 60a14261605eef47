package dev.toolgate.runtime.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Talks to a proxy as a confined command does: raw bytes on its unix socket. */
final class ProxyClient {
    private ProxyClient() {}

    static SocketChannel connect(AllowlistProxy to) throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(to.socket()));
    }

    static String exchange(AllowlistProxy through, String request) throws IOException {
        try (SocketChannel client = connect(through)) {
            send(client, request);
            return receiveAll(client);
        }
    }

    static void send(SocketChannel client, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(ISO_8859_1));
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    static String receiveAll(SocketChannel client) {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        try {
            while (client.read(buffer.clear()) >= 0) {
                received.write(buffer.array(), 0, buffer.position());
            }
        } catch (IOException reset) {
            // the proxy left without reading everything; what it said before counts
        }
        return received.toString(ISO_8859_1);
    }
}
