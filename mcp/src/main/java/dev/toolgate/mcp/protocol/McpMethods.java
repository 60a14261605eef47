package dev.toolgate.mcp.protocol;

/** The names of methods and notifications, of all revisions. */
public final class McpMethods {
    public static final String INITIALIZE = "initialize";
    public static final String DISCOVER = "server/discover";
    public static final String PING = "ping";
    public static final String TOOLS_LIST = "tools/list";
    public static final String TOOLS_CALL = "tools/call";
    public static final String RESOURCES_LIST = "resources/list";
    public static final String RESOURCE_TEMPLATES_LIST = "resources/templates/list";
    public static final String RESOURCES_READ = "resources/read";
    public static final String RESOURCES_SUBSCRIBE = "resources/subscribe";
    public static final String RESOURCES_UNSUBSCRIBE = "resources/unsubscribe";
    public static final String PROMPTS_LIST = "prompts/list";
    public static final String PROMPTS_GET = "prompts/get";
    public static final String COMPLETE = "completion/complete";
    public static final String SET_LOG_LEVEL = "logging/setLevel";
    public static final String LISTEN = "subscriptions/listen";
    public static final String TASKS_GET = "tasks/get";
    public static final String TASKS_UPDATE = "tasks/update";
    public static final String TASKS_CANCEL = "tasks/cancel";
    public static final String TASKS_RESULT = "tasks/result";
    public static final String TASKS_LIST = "tasks/list";

    public static final String ELICIT = "elicitation/create";
    public static final String SAMPLE = "sampling/createMessage";
    public static final String ROOTS_LIST = "roots/list";

    public static final String INITIALIZED = "notifications/initialized";
    public static final String CANCELLED = "notifications/cancelled";
    public static final String PROGRESS = "notifications/progress";
    public static final String LOG_MESSAGE = "notifications/message";
    public static final String TOOLS_CHANGED = "notifications/tools/list_changed";
    public static final String RESOURCES_CHANGED = "notifications/resources/list_changed";
    public static final String RESOURCE_UPDATED = "notifications/resources/updated";
    public static final String PROMPTS_CHANGED = "notifications/prompts/list_changed";
    public static final String ROOTS_CHANGED = "notifications/roots/list_changed";
    public static final String LISTENING = "notifications/subscriptions/acknowledged";
    public static final String ELICITATION_COMPLETE = "notifications/elicitation/complete";

    /** The state of a task, from 2026-07-28. */
    public static final String TASK_CHANGED = "notifications/tasks";

    /** The state of a task in 2025-11-25. */
    public static final String LEGACY_TASK_CHANGED = "notifications/tasks/status";

    private McpMethods() {}
}
