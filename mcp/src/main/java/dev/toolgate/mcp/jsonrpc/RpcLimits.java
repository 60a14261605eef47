package dev.toolgate.mcp.jsonrpc;

/**
 * How large a message may be.
 *
 * @param maxBytes of the whole message
 * @param maxDepth of nested arrays and objects
 * @param maxNameLength of a field's name, in characters
 * @param maxNumberLength of a number, in digits
 * @param maxMethodLength of a method's name, in characters
 */
public record RpcLimits(int maxBytes, int maxDepth, int maxNameLength, int maxNumberLength, int maxMethodLength) {
    /** For clients and servers: schemas and results of up to 10 MB. */
    public static final RpcLimits DEFAULT = new RpcLimits(10 << 20, 200, 1_000, 1_000, 128);

    public RpcLimits {
        if (maxBytes < 1 || maxDepth < 1 || maxNameLength < 1 || maxNumberLength < 1 || maxMethodLength < 1) {
            throw new IllegalArgumentException("Every limit of a message must be positive.");
        }
    }

    /** A copy with another maximum size. */
    public RpcLimits withMaxBytes(int bytes) {
        return new RpcLimits(bytes, maxDepth, maxNameLength, maxNumberLength, maxMethodLength);
    }
}
