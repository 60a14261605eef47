package dev.toolgate.http.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A raw socket for requests that HTTP clients would not send. */
public final class RawConnection implements AutoCloseable {
    private final Socket socket;

    RawConnection(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(20_000);
            socket.setTcpNoDelay(true);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public RawConnection send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawConnection send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Resets the connection. */
    void reset() {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Whether the server still accepts bytes. */
    boolean takes(String text) {
        try {
            send(text);
            return true;
        } catch (UncheckedIOException closed) {
            return false;
        }
    }

    /** Everything until the server closes or resets the connection. */
    public String readAll() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(all);
        } catch (java.net.SocketTimeoutException stillOpen) {
            throw new UncheckedIOException(stillOpen);
        } catch (IOException reset) {
            // counts as closed
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** Everything until the server closes the connection or is silent for this long. */
    public String readAll(Duration silence) {
        try {
            socket.setSoTimeout((int) silence.toMillis());
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            try {
                socket.getInputStream().transferTo(all);
            } catch (IOException silentOrClosed) {
                // returns what was received
            }
            return all.toString(StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Everything up to this text. */
    public String readUntil(String end) {
        StringBuilder text = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            while (text.indexOf(end) < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new IllegalStateException("The connection was closed after: " + text);
                }
                text.append((char) next);
            }
            return text.toString();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
