package dev.toolgate.runtime.network;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import dev.toolgate.runtime.tools.http.HttpRequestTool.Arguments;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A simulated internet on loopback: 127.0.0.2 and 127.0.0.3 count as public, other addresses follow the real policy,
 * and tests define the host names.
 */
final class LoopbackInternet implements Resolver {
    static final String PUBLIC = "127.0.0.2";
    static final String ALSO_PUBLIC = "127.0.0.3";
    static final String PRIVATE = "127.0.0.1";

    static final AddressPolicy POLICY =
            (host, address, port) -> Set.of(PUBLIC, ALSO_PUBLIC).contains(address.getHostAddress())
                    ? Optional.empty()
                    : AddressPolicy.publicOnly().refusal(host, address, port);

    private final Map<String, Deque<List<InetAddress>>> answers = new HashMap<>();
    final List<String> lookups = Collections.synchronizedList(new ArrayList<>());

    /** Defines the addresses of a name; repeated calls define the following lookups. The last one is repeated. */
    LoopbackInternet name(String host, String... addresses) {
        List<InetAddress> answer = new ArrayList<>();
        for (String address : addresses) {
            answer.add(InetAddress.ofLiteral(address));
        }
        answers.computeIfAbsent(host, _ -> new ArrayDeque<>()).add(answer);
        return this;
    }

    @Override
    public List<InetAddress> resolve(String host) throws UnknownHostException {
        lookups.add(host);
        Deque<List<InetAddress>> left = answers.get(host);
        if (left == null) {
            throw new UnknownHostException(host);
        }
        return left.size() > 1 ? left.removeFirst() : left.getFirst();
    }

    HttpRequestTool tool() {
        return new HttpRequestTool(AddressPolicies.forAllTenants(POLICY), this);
    }

    static Arguments get(String url) {
        return new Arguments(url, null, null, null, null);
    }

    static Arguments get(String url, int timeout) {
        return new Arguments(url, null, null, null, timeout);
    }

    static Arguments request(String method, String url, Map<String, String> headers, @Nullable String body) {
        return new Arguments(url, method, headers, body, null);
    }

    static ToolContext context(Bounds bounds) {
        return new ToolContext(Call.of(Caller.local(), "http_request", Json.MAPPER.createObjectNode()), bounds);
    }

    static Output call(HttpRequestTool tool, Arguments arguments) throws ToolFailure, InterruptedException {
        return tool.call(arguments, context(Bounds.none()));
    }

    static Failure failure(HttpRequestTool tool, Arguments arguments) {
        return catchThrowableOfType(ToolFailure.class, () -> call(tool, arguments))
                .failure();
    }
}
