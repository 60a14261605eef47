package dev.toolgate.server.door.chat;

import dev.toolgate.http.error.BadRequest;

/** The types of messages that clients send; each has a schema in the API document. */
enum ClientMessageType {
    SEND("chat:send"),
    CANCEL("chat:cancel"),
    TOOL_APPROVE("chat:tool-approve");

    private final String wireName;

    ClientMessageType(String wireName) {
        this.wireName = wireName;
    }

    /** The {@code type} of the message. */
    String wireName() {
        return wireName;
    }

    /**
     * @throws BadRequest if there is no such type
     */
    static ClientMessageType of(String wireName) {
        for (ClientMessageType type : values()) {
            if (type.wireName.equals(wireName)) {
                return type;
            }
        }
        throw new BadRequest("The type of a message must be chat:send, chat:cancel or chat:tool-approve.");
    }
}
