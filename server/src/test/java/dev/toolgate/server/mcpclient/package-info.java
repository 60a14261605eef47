/** Third-party programs and libraries as MCP clients of the gate. */
@NullMarked
package dev.toolgate.server.mcpclient;

import org.jspecify.annotations.NullMarked;
