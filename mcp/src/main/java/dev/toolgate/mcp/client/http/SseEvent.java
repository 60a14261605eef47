package dev.toolgate.mcp.client.http;

import org.jspecify.annotations.Nullable;

/**
 * One event of an event stream.
 *
 * @param id the event's id, with which the stream can be resumed; null if it has none
 * @param data the payload in UTF-8; empty for an event that only sets the id or the delay
 */
@SuppressWarnings("ArrayRecordComponent") // only read, never compared
record SseEvent(@Nullable String id, byte[] data) {}
