package dev.toolgate.http.routing;

import dev.toolgate.http.request.RequestSource;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request without credentials.
 *
 * @param peer the remote address of its connection
 * @param local the local address
 * @param arrival whether it came through a trusted proxy
 * @param header looks up a header; {@code null} if absent
 */
public record UnauthenticatedRequest(
        InetSocketAddress peer,
        InetSocketAddress local,
        RequestSource.Arrival arrival,
        UnaryOperator<@Nullable String> header) {}
