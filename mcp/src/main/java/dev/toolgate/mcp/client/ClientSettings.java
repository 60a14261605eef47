package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a client presents itself and what it does by itself.
 *
 * @param client what the client says of itself
 * @param capabilities what it declares; has to fit the input handler
 * @param input answers what servers ask for outside calls, and in calls that bring no handler of their own
 * @param listener hears notifications
 * @param limits of what is taken from a server
 * @param timeout of calls that bring none of their own
 * @param probeTimeout how long the answer to the first question, by which the era is found out, is waited for
 * @param knownEra the era found out earlier, so that it need not be asked for; null if it is not known
 */
public record ClientSettings(
        Implementation client,
        ClientCapabilities capabilities,
        InputHandler input,
        NotificationListener listener,
        ClientLimits limits,
        CallTimeout timeout,
        Duration probeTimeout,
        @Nullable Era knownEra) {

    /** A client that only calls. */
    public static ClientSettings of(Implementation client) {
        return new ClientSettings(
                client,
                ClientCapabilities.NONE,
                InputHandler.NONE,
                NotificationListener.NONE,
                ClientLimits.DEFAULT,
                CallTimeout.DEFAULT,
                Duration.ofSeconds(15),
                null);
    }

    /** The same with capabilities and the handler that stands behind them. */
    public ClientSettings withInput(ClientCapabilities declared, InputHandler handler) {
        return new ClientSettings(client, declared, handler, listener, limits, timeout, probeTimeout, knownEra);
    }

    /** The same with a listener. */
    public ClientSettings withListener(NotificationListener heard) {
        return new ClientSettings(client, capabilities, input, heard, limits, timeout, probeTimeout, knownEra);
    }

    /** The same with other limits. */
    public ClientSettings withLimits(ClientLimits bounds) {
        return new ClientSettings(client, capabilities, input, listener, bounds, timeout, probeTimeout, knownEra);
    }

    /** The same with other times. */
    public ClientSettings withTimeouts(CallTimeout calls, Duration probe) {
        return new ClientSettings(client, capabilities, input, listener, limits, calls, probe, knownEra);
    }

    /** The same for a server whose era is known. */
    public ClientSettings withKnownEra(Era era) {
        return new ClientSettings(client, capabilities, input, listener, limits, timeout, probeTimeout, era);
    }
}
