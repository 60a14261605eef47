/** The door for clients of the Model Context Protocol: {@code /mcp}. */
@NullMarked
package dev.toolgate.server.door.mcp;

import org.jspecify.annotations.NullMarked;
