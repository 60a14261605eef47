package dev.toolgate.mcp.relay;

import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pipe to the client: one message per line, thread-safe. Messages to a disconnected client are dropped. */
final class ClientPipe {
    private static final Logger LOG = LoggerFactory.getLogger(ClientPipe.class);

    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();

    ClientPipe(OutputStream out) {
        this.out = out;
    }

    void send(RpcMessage message) {
        byte[] bytes = RpcWriter.bytes(message);
        lock.lock();
        try {
            out.write(bytes);
            out.write('\n');
            out.flush();
        } catch (IOException gone) {
            LOG.debug("The client takes no more messages: {}", gone.getMessage());
        } finally {
            lock.unlock();
        }
    }

    /** Answers a request with an error of the relay. */
    void refuse(@Nullable RpcId id, RpcError error) {
        send(new RpcMessage.Failure(id, error));
    }
}
