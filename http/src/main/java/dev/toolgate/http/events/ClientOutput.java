package dev.toolgate.http.events;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;

/** Writes to the client and blocks, so that a disconnected client can be told apart from a failed source. */
public final class ClientOutput extends OutputStream {

    /** The client has disconnected. */
    public static final class ClientGone extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGone(IOException cause) {
            super("The client has disconnected.", cause);
        }
    }

    private final Content.Sink sink;

    public ClientOutput(Content.Sink sink) {
        this.sink = sink;
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            Content.Sink.write(sink, false, ByteBuffer.wrap(bytes, offset, length));
        } catch (IOException gone) {
            throw new ClientGone(gone);
        }
    }

    /** Writes the last bytes of the response. */
    public void writeLast(byte[] bytes) throws ClientGone {
        try {
            Content.Sink.write(sink, true, ByteBuffer.wrap(bytes));
        } catch (IOException gone) {
            throw new ClientGone(gone);
        }
    }

    @Override
    public void close() throws ClientGone {
        writeLast(new byte[0]);
    }
}
