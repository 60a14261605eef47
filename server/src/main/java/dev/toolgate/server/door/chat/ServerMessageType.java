package dev.toolgate.server.door.chat;

/** The types of messages that the server sends; each has a schema in the API document. */
enum ServerMessageType {
    CONNECTION_STATUS("connection:status"),
    STREAM_START("chat:stream-start"),
    TEXT_DELTA("chat:text-delta"),
    THINKING_DELTA("chat:thinking-delta"),
    TOOL_CONFIRM("chat:tool-confirm"),
    TOOL_START("chat:tool-start"),
    TOOL_DELTA("chat:tool-delta"),
    TOOL_RESULT("chat:tool-result"),
    STREAM_END("chat:stream-end"),
    ERROR("chat:error");

    private final String wireName;

    ServerMessageType(String wireName) {
        this.wireName = wireName;
    }

    /** The {@code type} of the message. */
    String wireName() {
        return wireName;
    }
}
