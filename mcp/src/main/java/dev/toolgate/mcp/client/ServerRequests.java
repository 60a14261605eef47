package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;

/** Answers the requests that servers of the legacy era send: each on its own thread, a bounded number at a time. */
final class ServerRequests {
    /** Sends an answer. */
    @FunctionalInterface
    interface Answers {
        void send(RpcMessage answer) throws McpFailure;
    }

    private static final Logger log = LoggerFactory.getLogger(ServerRequests.class);

    private final Answers answers;
    private final Semaphore permits;
    private final int max;
    private final Map<RpcId, Thread> running = new ConcurrentHashMap<>();

    ServerRequests(int max, Answers answers) {
        this.max = max;
        this.permits = new Semaphore(max);
        this.answers = answers;
    }

    /**
     * Answers a request; returns at once.
     *
     * @param done runs when the answer has been sent or is no longer needed
     */
    void received(RpcMessage.Request request, InputHandler handler, Runnable done) {
        if (!permits.tryAcquire()) {
            log.debug("Request {} of the server was dropped: {} are being answered", request.method(), max);
            done.run();
            return;
        }
        Thread thread = Thread.ofVirtual().name("mcp-server-request").unstarted(() -> {
            try {
                RpcMessage answer = answer(request, handler);
                running.remove(request.id());
                answers.send(answer);
            } catch (InterruptedException cancelled) {
                log.debug("The server cancelled its request {}", request.method());
            } catch (McpFailure unsent) {
                log.debug("The answer to {} could not be sent: {}", request.method(), unsent.getMessage());
            } finally {
                running.remove(request.id());
                permits.release();
                done.run();
            }
        });
        running.put(request.id(), thread);
        thread.start();
    }

    /** The server cancelled its request. */
    void cancelled(RpcId id) {
        Thread thread = running.get(id);
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Stops everything. */
    void stop() {
        running.values().forEach(Thread::interrupt);
    }

    private static RpcMessage answer(RpcMessage.Request request, InputHandler handler) throws InterruptedException {
        if (request.method().equals(McpMethods.PING)) {
            return new RpcMessage.Result(request.id(), JsonNodeFactory.instance.objectNode());
        }
        InputRequest input = InputRequest.read(request.method(), request.params());
        if (input == null) {
            return new RpcMessage.Failure(
                    request.id(), RpcErrorCode.METHOD_NOT_FOUND.error("This client has no such method."));
        }
        try {
            return switch (handler.answer(input)) {
                case InputAnswer.Given given -> new RpcMessage.Result(request.id(), given.result());
                case InputAnswer.Refused refused ->
                    new RpcMessage.Failure(request.id(), RpcErrorCode.METHOD_NOT_FOUND.error(refused.reason()));
            };
        } catch (RuntimeException failed) {
            log.warn("The handler of {} failed", request.method(), failed);
            return new RpcMessage.Failure(
                    request.id(), RpcErrorCode.INTERNAL_ERROR.error("The client could not answer the request."));
        }
    }
}
