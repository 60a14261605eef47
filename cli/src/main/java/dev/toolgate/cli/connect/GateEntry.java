package dev.toolgate.cli.connect;

/**
 * What a client needs to know of the gate.
 *
 * @param url of the door for MCP clients
 * @param key of the agent
 */
record GateEntry(String url, String key) {
    /** The name that the gate goes by in the settings of clients, and in front of its tools. */
    static final String NAME = "toolgate";

    String authorization() {
        return "Bearer " + key;
    }

    @Override
    public String toString() {
        return url;
    }
}
