package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.McpClient;
import dev.toolgate.mcp.client.NotificationListener;
import dev.toolgate.mcp.client.ServerDescription;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.ServerCapabilities;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One connection to a server, from its beginning to its end. */
final class ServerConnection implements NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    private static final Duration SHORT_WAIT = Duration.ofSeconds(10);

    /** Hears what happens to a connection. */
    interface Events {
        void lost(ServerConnection connection, String why);

        void toolsChanged();

        void promptsChanged();

        void resourcesChanged();

        void resourceUpdated(String uri);
    }

    private final Events events;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean pinging = new AtomicBoolean();
    private volatile @Nullable McpClient client;
    private volatile @Nullable ServerDescription server;

    ServerConnection(Events events) {
        this.events = events;
    }

    /** The connection is open. */
    void use(McpClient connected) {
        client = connected;
        server = connected.server();
    }

    McpClient client() {
        McpClient connected = client;
        if (connected == null) {
            throw new IllegalStateException("The connection is not open yet.");
        }
        return connected;
    }

    ServerDescription server() {
        return client().server();
    }

    ServerCapabilities capabilities() {
        return server().capabilities();
    }

    /** Whether nothing may be sent over it any more. */
    boolean isOver() {
        return over.get();
    }

    /** Has nothing sent over it any more; false if that was so before. */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    /** Whether the server may be asked if it is alive; false while somebody does. */
    boolean beginPing() {
        return pinging.compareAndSet(false, true);
    }

    void endPing() {
        pinging.set(false);
    }

    /** Whether the client has begun a new session since this was last asked, because the server lost the old one. */
    @SuppressWarnings("ReferenceEquality") // an equal description may come from another session
    boolean hasNewSession() {
        ServerDescription now = server();
        boolean other = now != server;
        server = now;
        return other;
    }

    /** Servers of the modern era tell of changes only if they are asked to. */
    void listen() throws McpFailure {
        ServerCapabilities offered = capabilities();
        if (server().era() == Era.LEGACY && offered.hasLogging()) {
            setLogLevel();
        }
        ObjectNode wanted = JsonNodeFactory.instance.objectNode();
        if (offered.announcesToolChanges()) {
            wanted.put("toolsListChanged", true);
        }
        if (offered.announcesPromptChanges()) {
            wanted.put("promptsListChanged", true);
        }
        if (offered.announcesResourceChanges()) {
            wanted.put("resourcesListChanged", true);
        }
        if (server().era() == Era.MODERN && !wanted.isEmpty()) {
            var _ = client().listen(wanted); // ends with the client
        }
    }

    // Servers of the legacy era may log nothing before; one that cannot be told is used without.
    private void setLogLevel() {
        try {
            client().request(
                            McpMethods.SET_LOG_LEVEL,
                            JsonNodeFactory.instance.objectNode().put("level", LogLevel.INFO.wireName()),
                            CallOptions.DEFAULT.withTimeout(CallTimeout.of(SHORT_WAIT)));
        } catch (McpFailure refused) {
            LOG.debug("A server takes no log level: {}", refused.getMessage());
        }
    }

    /** Has the server tell of changes of a resource; false if it does not. */
    boolean watch(String uri) throws McpFailure {
        if (!capabilities().hasResourceSubscriptions()) {
            return false;
        }
        ObjectNode wanted = JsonNodeFactory.instance.objectNode();
        wanted.putArray("resourceSubscriptions").add(uri);
        var _ = client().listen(wanted); // ends with the client
        return true;
    }

    /** Disconnects in good order. */
    void close() {
        McpClient connected = client;
        if (connected != null) {
            connected.close();
        }
    }

    @Override
    public void notified(String method, @Nullable ObjectNode params) {
        switch (method) {
            case McpMethods.TOOLS_CHANGED -> events.toolsChanged();
            case McpMethods.PROMPTS_CHANGED -> events.promptsChanged();
            case McpMethods.RESOURCES_CHANGED -> events.resourcesChanged();
            case McpMethods.RESOURCE_UPDATED -> {
                if (params != null) {
                    events.resourceUpdated(params.path("uri").asString(""));
                }
            }
            default -> {} // log messages and the like
        }
    }

    @Override
    public void resumed() {
        events.toolsChanged();
        events.promptsChanged();
        events.resourcesChanged();
    }

    @Override
    public void disconnected(McpFailure why) {
        events.lost(this, String.valueOf(why.getMessage()));
    }
}
