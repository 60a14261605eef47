/** Programs and libraries that others have written, as MCP clients of the gate. */
@NullMarked
package dev.toolgate.server.mcpclient;

import org.jspecify.annotations.NullMarked;
