/** MCP over standard input and output: one message per line. */
@NullMarked
package dev.toolgate.mcp.server.stdio;

import org.jspecify.annotations.NullMarked;
