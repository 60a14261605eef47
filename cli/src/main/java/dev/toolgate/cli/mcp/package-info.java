/** {@code toolgate mcp}: the gate for MCP clients that start a command. */
@NullMarked
package dev.toolgate.cli.mcp;

import org.jspecify.annotations.NullMarked;
