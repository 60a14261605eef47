package dev.toolgate.mcp.client.stdio;

import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Hands messages from the reader thread to the thread of a call; the reader never waits. */
final class StdioCall {
    private static final int MAX_INTERIM = 64;

    private final ClientCall call;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<RpcMessage> interim = new ArrayDeque<>();
    private RpcMessage.@Nullable Response answer;

    StdioCall(ClientCall call) {
        this.call = call;
        call.onEnd(this::wake);
    }

    /** A message before the answer; if the call cannot keep up, the oldest are dropped. */
    void interim(RpcMessage message) {
        lock.lock();
        try {
            call.progressed();
            if (interim.size() == MAX_INTERIM) {
                interim.removeFirst();
            }
            interim.addLast(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The answer; further ones for the same request are ignored. */
    void answer(RpcMessage.Response response, int bytes) {
        lock.lock();
        try {
            if (answer == null) {
                call.answerBytes(bytes);
                answer = response;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void fail(McpFailure failure) {
        call.end(failure);
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the answer on the thread of the call. */
    RpcMessage.Response await() throws McpFailure {
        while (true) {
            RpcMessage next = next();
            if (next instanceof RpcMessage.Response response) {
                return response;
            }
            call.received(next);
        }
    }

    private RpcMessage next() throws McpFailure {
        lock.lock();
        try {
            while (true) {
                RpcMessage before = interim.pollFirst();
                if (before != null) {
                    return before;
                }
                RpcMessage.Response response = answer;
                if (response != null) {
                    return response;
                }
                McpFailure ended = call.ended();
                if (ended != null) {
                    throw ended;
                }
                if (changed.awaitNanos(call.remaining().toNanos()) <= 0
                        && !call.remaining().isPositive()) {
                    call.endByTimeout();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(McpFailureKind.CANCELLED, "The thread of the request was interrupted.", stopped);
        } finally {
            lock.unlock();
        }
    }
}
