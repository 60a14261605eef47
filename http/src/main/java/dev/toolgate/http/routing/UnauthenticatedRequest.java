package dev.toolgate.http.routing;

import dev.toolgate.http.request.RequestSource;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request that shows no credentials.
 *
 * @param peer the other end of its connection
 * @param local our end of it
 * @param arrival whether a trusted proxy passed it on
 * @param header its headers by name, {@code null} for one that was not sent
 */
public record UnauthenticatedRequest(
        InetSocketAddress peer,
        InetSocketAddress local,
        RequestSource.Arrival arrival,
        UnaryOperator<@Nullable String> header) {}
