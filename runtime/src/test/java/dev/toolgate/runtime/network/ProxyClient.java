package dev.toolgate.runtime.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends raw bytes to a proxy's unix socket, like a confined command. */
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
            // the proxy closed without reading everything; its response is kept
        }
        return received.toString(ISO_8859_1);
    }
}
