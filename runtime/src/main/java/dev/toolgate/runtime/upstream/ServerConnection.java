package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.McpClient;
import dev.toolgate.mcp.client.McpSubscription;
import dev.toolgate.mcp.client.NotificationListener;
import dev.toolgate.mcp.client.ServerDescription;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.ServerCapabilities;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One connection to a server. */
final class ServerConnection implements NotificationListener {
    /** Receives the events of a connection. */
    interface Events {
        void lost(ServerConnection connection, String why);

        /** The server has lost the session, as the stream of its notifications says. */
        void sessionLost(ServerConnection connection);

        void toolsChanged();

        void promptsChanged();

        void resourcesChanged();

        void resourceUpdated(String uri);
    }

    private final Events events;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean pinging = new AtomicBoolean();
    private volatile @Nullable McpClient client;
    private int calls; // in progress; guarded by the lock of the reconnecting connection

    ServerConnection(Events events) {
        this.events = events;
    }

    /** Called when the connection is open. */
    void use(McpClient connected) {
        client = connected;
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

    /** Whether the connection has ended, so that nothing may be sent over it. */
    boolean isOver() {
        return over.get();
    }

    /** Marks the connection as ended; false if it already was. */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    /** Reserves the ping for the calling thread; false while another thread pings the server. */
    boolean beginPing() {
        return pinging.compareAndSet(false, true);
    }

    void endPing() {
        pinging.set(false);
    }

    void beginCall() {
        calls++;
    }

    void endCall() {
        calls--;
    }

    /** Whether calls are in progress. */
    boolean hasCalls() {
        return calls > 0;
    }

    /** Subscribes to list changes, which servers of the modern era require. */
    void listen() throws McpFailure {
        ServerCapabilities offered = capabilities();
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

    /** Subscribes to changes of a resource; null if the server does not support it. */
    @Nullable
    McpSubscription subscribe(String uri) throws McpFailure {
        if (!capabilities().hasResourceSubscriptions()) {
            return null;
        }
        ObjectNode wanted = JsonNodeFactory.instance.objectNode();
        wanted.putArray("resourceSubscriptions").add(uri);
        return client().listen(wanted, () -> events.resourceUpdated(uri)); // it may have changed in between
    }

    /** Disconnects cleanly. */
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
    public void sessionLost() {
        events.sessionLost(this);
    }

    @Override
    public void disconnected(McpFailure why) {
        events.lost(this, String.valueOf(why.getMessage()));
    }
}
