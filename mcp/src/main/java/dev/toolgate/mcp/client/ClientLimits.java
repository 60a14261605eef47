package dev.toolgate.mcp.client;

/**
 * How much a client accepts from one server.
 *
 * @param maxPages of one list
 * @param maxItems of one list
 * @param maxListBytes of all pages of a list together
 * @param maxInputRounds how often a server may ask for more input before it answers a request
 * @param maxServerRequests of the server that are answered at a time; further ones are dropped
 * @param maxQueuedNotifications waiting for the listener; further ones are dropped
 */
public record ClientLimits(
        int maxPages,
        int maxItems,
        int maxListBytes,
        int maxInputRounds,
        int maxServerRequests,
        int maxQueuedNotifications) {
    /** Well above what the servers tested so far need. */
    public static final ClientLimits DEFAULT = new ClientLimits(200, 10_000, 20 << 20, 10, 16, 256);
}
