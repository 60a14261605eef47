package dev.toolgate.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class SessionSetupTest {
    private static final RpcMessage.Response ACCEPTED =
            new RpcMessage.Result(RpcId.of(1), JsonNodeFactory.instance.objectNode());
    private static final RpcMessage.Response REFUSED =
            new RpcMessage.Failure(RpcId.of(1), RpcErrorCode.INVALID_PARAMS.error("No."));

    private final SessionSetup setup = new SessionSetup(2);

    private static RpcMessage.Request request(String method, String field, String value) {
        ObjectNode params = JsonNodeFactory.instance.objectNode().put(field, value);
        return new RpcMessage.Request(RpcId.of(1), method, params);
    }

    private static RpcMessage.Request subscribe(String uri) {
        return request("resources/subscribe", "uri", uri);
    }

    private void assertSteps(String... expected) {
        assertThat(setup.steps())
                .extracting(step ->
                        step.method() + " " + step.params().iterator().next().asString())
                .containsExactly(expected);
    }

    @Test
    void the_last_log_level_and_the_remaining_subscriptions_are_repeated() {
        setup.learn(subscribe("a"), ACCEPTED);
        setup.learn(subscribe("b"), ACCEPTED);
        setup.learn(request("logging/setLevel", "level", "info"), ACCEPTED);
        setup.learn(request("logging/setLevel", "level", "error"), ACCEPTED);
        setup.learn(request("resources/unsubscribe", "uri", "a"), ACCEPTED);
        setup.learn(request("resources/read", "uri", "c"), ACCEPTED);

        assertSteps("logging/setLevel error", "resources/subscribe b");
    }

    @Test
    void refused_requests_set_up_nothing() {
        setup.learn(subscribe("a"), ACCEPTED);
        setup.learn(subscribe("b"), REFUSED);
        setup.learn(request("resources/unsubscribe", "uri", "a"), REFUSED);
        setup.learn(request("logging/setLevel", "level", "loud"), REFUSED);

        assertSteps("resources/subscribe a");
    }

    @Test
    void a_bounded_number_of_subscriptions_is_remembered() {
        setup.learn(subscribe("a"), ACCEPTED);
        setup.learn(subscribe("b"), ACCEPTED);
        setup.learn(subscribe("c"), ACCEPTED);
        setup.learn(subscribe("b"), ACCEPTED);

        assertSteps("resources/subscribe a", "resources/subscribe b");
    }

    @Test
    void another_session_of_the_client_begins_with_nothing() {
        setup.learn(subscribe("a"), ACCEPTED);
        setup.clear();

        assertThat(setup.steps()).isEmpty();
    }
}
