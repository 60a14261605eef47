/** What the door for MCP clients keeps: sessions, and which request id a call has that is sent again. */
@NullMarked
package dev.toolgate.store.mcp;

import org.jspecify.annotations.NullMarked;
