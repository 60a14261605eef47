package dev.toolgate.mcp.jsonrpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ValueNode;

/**
 * The id of a request, or a progress token: a string or an integer. The two are never equal: {@code "1"} is not {@code
 * 1}.
 */
public sealed interface RpcId {
    /** The maximum length of a string id. */
    int MAX_LENGTH = 256;

    /** A string id, kept exactly. */
    record Text(String value) implements RpcId {
        @Override
        public ValueNode json() {
            return JsonNodeFactory.instance.stringNode(value);
        }

        @Override
        public String toString() {
            return value;
        }
    }

    /** An integer id. */
    record Numeric(long value) implements RpcId {
        @Override
        public ValueNode json() {
            return JsonNodeFactory.instance.numberNode(value);
        }

        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /** The id as JSON. */
    ValueNode json();

    static RpcId of(long value) {
        return new Numeric(value);
    }

    static RpcId of(String value) {
        return new Text(value);
    }

    /**
     * Reads an id; null if the value is neither a string within the maximum length nor an integer of at most 64 bits.
     */
    static @Nullable RpcId read(JsonNode node) {
        if (node.isIntegralNumber()) {
            return node.canConvertToLong() ? new Numeric(node.longValue()) : null;
        }
        if (!node.isString()) {
            return null;
        }
        String text = node.stringValue();
        return text.length() <= MAX_LENGTH && isWellFormed(text) ? new Text(text) : null;
    }

    /** Whether a string has no unpaired surrogate, which many programs do not return unchanged. */
    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
