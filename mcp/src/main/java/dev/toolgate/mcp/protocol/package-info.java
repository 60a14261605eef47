/** What both sides of MCP share: revisions, names on the wire, capabilities, input requests, tasks and header rules. */
@NullMarked
package dev.toolgate.mcp.protocol;

import org.jspecify.annotations.NullMarked;
