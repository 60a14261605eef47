package dev.toolgate.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    private SessionSetup.@Nullable Step learn(RpcMessage.Request request, RpcMessage.Response answer, int session) {
        return setup.learn(request, answer, session);
    }

    private void assertSteps(String... expected) {
        assertThat(setup.steps())
                .extracting(step ->
                        step.method() + " " + step.params().iterator().next().asString())
                .containsExactly(expected);
    }

    @Test
    void the_last_log_level_and_the_remaining_subscriptions_are_repeated() {
        learn(subscribe("a"), ACCEPTED, 1);
        learn(subscribe("b"), ACCEPTED, 1);
        learn(request("logging/setLevel", "level", "info"), ACCEPTED, 1);
        learn(request("logging/setLevel", "level", "error"), ACCEPTED, 1);
        learn(request("resources/unsubscribe", "uri", "a"), ACCEPTED, 1);
        learn(request("resources/read", "uri", "c"), ACCEPTED, 1);

        assertSteps("logging/setLevel error", "resources/subscribe b");
    }

    @Test
    void refused_requests_set_up_nothing() {
        learn(subscribe("a"), ACCEPTED, 1);
        learn(subscribe("b"), REFUSED, 1);
        learn(request("resources/unsubscribe", "uri", "a"), REFUSED, 1);
        learn(request("logging/setLevel", "level", "loud"), REFUSED, 1);

        assertSteps("resources/subscribe a");
    }

    @Test
    void a_bounded_number_of_subscriptions_is_remembered() {
        learn(subscribe("a"), ACCEPTED, 1);
        learn(subscribe("b"), ACCEPTED, 1);
        learn(subscribe("c"), ACCEPTED, 1);
        learn(subscribe("b"), ACCEPTED, 1);

        assertSteps("resources/subscribe a", "resources/subscribe b");
    }

    @Test
    void another_session_of_the_client_begins_with_nothing() {
        learn(subscribe("a"), ACCEPTED, 1);
        setup.clear(2);
        learn(subscribe("late"), ACCEPTED, 1);

        assertThat(setup.steps()).isEmpty();
    }

    @Test
    void only_the_last_setting_of_each_kind_is_still_wanted() {
        SessionSetup.Step info = learn(request("logging/setLevel", "level", "info"), ACCEPTED, 1);
        SessionSetup.Step error = learn(request("logging/setLevel", "level", "error"), ACCEPTED, 1);
        SessionSetup.Step ended = learn(subscribe("a"), ACCEPTED, 1);
        SessionSetup.Step kept = learn(subscribe("b"), ACCEPTED, 1);
        learn(request("resources/unsubscribe", "uri", "a"), ACCEPTED, 1);

        assertThat(Stream.of(info, error, ended, kept).map(step -> setup.isWanted(Objects.requireNonNull(step))))
                .containsExactly(false, true, false, true);
    }
}
