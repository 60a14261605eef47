/** The interfaces for the tools, resources, prompts and tasks of a server, and the requests they get. */
@NullMarked
package dev.toolgate.mcp.server.offer;

import org.jspecify.annotations.NullMarked;
