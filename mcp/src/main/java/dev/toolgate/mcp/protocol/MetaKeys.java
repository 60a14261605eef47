package dev.toolgate.mcp.protocol;

/** The keys in {@code _meta} and of extensions that are handled here; all others are relayed. */
public final class MetaKeys {
    public static final String META = "_meta";
    public static final String PROGRESS_TOKEN = "progressToken";
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
    public static final String TRACE_PARENT = "traceparent";
    public static final String TRACE_STATE = "tracestate";

    /** Which task a message belongs to, in 2025-11-25. */
    public static final String RELATED_TASK = "io.modelcontextprotocol/related-task";

    /** The name of the tasks extension among the capabilities. */
    public static final String TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

    private MetaKeys() {}
}
