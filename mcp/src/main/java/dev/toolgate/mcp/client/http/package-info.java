/** Streamable HTTP: requests, event streams, sessions, and the port behind which an HTTP client stands. */
@NullMarked
package dev.toolgate.mcp.client.http;

import org.jspecify.annotations.NullMarked;
