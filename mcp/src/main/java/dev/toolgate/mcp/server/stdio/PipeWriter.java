package dev.toolgate.mcp.server.stdio;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/** Writes whole messages to a pipe, one per line. */
final class PipeWriter {
    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();

    PipeWriter(OutputStream out) {
        this.out = out;
    }

    void send(RpcMessage message) throws IOException {
        line(RpcWriter.bytes(message));
    }

    void line(byte[] message) throws IOException {
        lock.lock();
        try {
            out.write(message);
            out.write('\n');
            out.flush();
        } finally {
            lock.unlock();
        }
    }
}
