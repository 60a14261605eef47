/** Administration of the MCP servers behind the gate, and agreement to their tools. */
@NullMarked
package dev.toolgate.server.admin.upstream;

import org.jspecify.annotations.NullMarked;
