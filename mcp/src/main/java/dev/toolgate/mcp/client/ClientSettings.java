package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a client, its handlers and its limits.
 *
 * @param client its name and version, sent to servers
 * @param capabilities declared to servers; must match the input handler
 * @param input answers servers' requests outside calls, and during calls without a handler of their own
 * @param listener receives notifications
 * @param limits of what is accepted from a server
 * @param timeout the default for calls without one of their own
 * @param probeTimeout how long to wait for the answer to the first request, which detects the era
 * @param logLevel of the log messages that servers of the legacy era are asked for over HTTP; null if they are not
 *     asked. On a pipe, a log message does not say which call it belongs to.
 * @param knownEra the era detected earlier, which saves that request; null if unknown
 * @param refused what becomes of a request that the server refused without running it
 */
public record ClientSettings(
        Implementation client,
        ClientCapabilities capabilities,
        InputHandler input,
        NotificationListener listener,
        ClientLimits limits,
        CallTimeout timeout,
        Duration probeTimeout,
        @Nullable LogLevel logLevel,
        @Nullable Era knownEra,
        RefusedRequests refused) {
    /** Requests that the server refused because it lost the session, or because of headers that its tools need. */
    public enum RefusedRequests {
        /** They are sent once more, in a new session or with the headers of a new list of tools. */
        RETRY,
        /** They fail, for an owner that checks the tools again before it sends anything else. */
        FAIL
    }

    /** A client that sends requests, and answers none. */
    public static ClientSettings of(Implementation client) {
        return new ClientSettings(
                client,
                ClientCapabilities.NONE,
                InputHandler.NONE,
                NotificationListener.NONE,
                ClientLimits.DEFAULT,
                CallTimeout.DEFAULT,
                Duration.ofSeconds(15),
                null,
                null,
                RefusedRequests.RETRY);
    }

    /** A copy with capabilities and the handler that serves them. */
    public ClientSettings withInput(ClientCapabilities declared, InputHandler handler) {
        return new ClientSettings(
                client, declared, handler, listener, limits, timeout, probeTimeout, logLevel, knownEra, refused);
    }

    /** A copy with a listener. */
    public ClientSettings withListener(NotificationListener newListener) {
        return new ClientSettings(
                client, capabilities, input, newListener, limits, timeout, probeTimeout, logLevel, knownEra, refused);
    }

    /** A copy with other limits. */
    public ClientSettings withLimits(ClientLimits bounds) {
        return new ClientSettings(
                client, capabilities, input, listener, bounds, timeout, probeTimeout, logLevel, knownEra, refused);
    }

    /** A copy with other timeouts. */
    public ClientSettings withTimeouts(CallTimeout calls, Duration probe) {
        return new ClientSettings(
                client, capabilities, input, listener, limits, calls, probe, logLevel, knownEra, refused);
    }

    /** A copy that asks servers of the legacy era over HTTP for log messages from this level on. */
    public ClientSettings withLogLevel(LogLevel level) {
        return new ClientSettings(
                client, capabilities, input, listener, limits, timeout, probeTimeout, level, knownEra, refused);
    }

    /** A copy for a server whose era is known. */
    public ClientSettings withKnownEra(Era era) {
        return new ClientSettings(
                client, capabilities, input, listener, limits, timeout, probeTimeout, logLevel, era, refused);
    }

    /** A copy that treats refused requests in another way. */
    public ClientSettings withRefused(RefusedRequests requests) {
        return new ClientSettings(
                client, capabilities, input, listener, limits, timeout, probeTimeout, logLevel, knownEra, requests);
    }
}
