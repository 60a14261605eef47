package dev.toolgate.http.json;

import dev.toolgate.http.error.BadRequest;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;

/** Rejects numbers such as 1e999 that would silently become infinite. */
final class FiniteNumbers extends JsonNodeFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public NumericNode numberNode(double value) {
        if (Double.isInfinite(value)) {
            throw new BadRequest("The body has a number that is too large.");
        }
        return super.numberNode(value);
    }
}
