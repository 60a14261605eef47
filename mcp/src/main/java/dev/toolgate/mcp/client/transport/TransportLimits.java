package dev.toolgate.mcp.client.transport;

import dev.toolgate.mcp.jsonrpc.RpcLimits;

/**
 * How much of a server's output is accepted.
 *
 * @param message limits of one message
 * @param maxAnswerBytes of all messages for one call, including the answer
 * @param maxRubbishLines how many lines that are not messages a program may print
 * @param maxRubbishBytes how many bytes such lines may have together
 * @param maxStderrBytes how much of the end of the standard error is kept
 */
public record TransportLimits(
        RpcLimits message, int maxAnswerBytes, int maxRubbishLines, int maxRubbishBytes, int maxStderrBytes) {
    /** 10 MB an answer, a hundred stray lines of 256 KB together, 64 KB of standard error. */
    public static final TransportLimits DEFAULT =
            new TransportLimits(RpcLimits.DEFAULT, 10 << 20, 100, 256 << 10, 64 << 10);

    /** A copy with another maximum size of answers and messages. */
    public TransportLimits withMaxAnswerBytes(int bytes) {
        return new TransportLimits(
                message.withMaxBytes(bytes), bytes, maxRubbishLines, maxRubbishBytes, maxStderrBytes);
    }
}
