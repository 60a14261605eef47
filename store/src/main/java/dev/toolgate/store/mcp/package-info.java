/** The stored state of the MCP door: sessions, and the request ids of calls that clients may repeat. */
@NullMarked
package dev.toolgate.store.mcp;

import org.jspecify.annotations.NullMarked;
