package dev.toolgate.cli.connect;

/**
 * The entry for the gate in a client's settings.
 *
 * @param url of the door for MCP clients
 * @param key of the agent
 */
record GateEntry(String url, String key) {
    /** The name of the gate in the settings of clients, and the prefix of its tools. */
    static final String NAME = "toolgate";

    String authorization() {
        return "Bearer " + key;
    }

    @Override
    public String toString() {
        return url;
    }
}
