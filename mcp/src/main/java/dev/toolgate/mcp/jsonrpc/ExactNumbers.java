package dev.toolgate.mcp.jsonrpc;

import java.math.BigDecimal;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ValueNode;

/**
 * Keeps every digit of a fraction, because messages are relayed: a double where it is exact, a decimal otherwise. Very
 * large exponents are refused, since expanding such a number can exhaust the memory.
 */
final class ExactNumbers extends JsonNodeFactory {
    private static final long serialVersionUID = 1L;
    private static final int MAX_EXPONENT = 2_000;

    @Override
    public ValueNode numberNode(BigDecimal value) {
        if (value.scale() > MAX_EXPONENT || value.scale() < -MAX_EXPONENT) {
            throw new RpcException(RpcErrorCode.PARSE_ERROR.error(
                    "The message contains a number with an exponent beyond " + MAX_EXPONENT + "."));
        }
        double rounded = value.doubleValue();
        return Double.isFinite(rounded) && BigDecimal.valueOf(rounded).compareTo(value) == 0
                ? numberNode(rounded)
                : super.numberNode(value);
    }
}
