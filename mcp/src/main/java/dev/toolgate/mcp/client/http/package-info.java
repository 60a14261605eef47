/** Streamable HTTP: requests, event streams, sessions, and the interface to the HTTP client. */
@NullMarked
package dev.toolgate.mcp.client.http;

import org.jspecify.annotations.NullMarked;
