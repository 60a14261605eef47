/** The MCP servers behind the gate: connections by tenant, agreed definitions of their tools, and their credentials. */
@NullMarked
package dev.toolgate.server.upstream;

import org.jspecify.annotations.NullMarked;
