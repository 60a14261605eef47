/** MCP over standard input and output: one message a line. */
@NullMarked
package dev.toolgate.mcp.server.stdio;

import org.jspecify.annotations.NullMarked;
