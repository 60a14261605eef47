/** The upstream MCP servers of the gate, and the tool definitions that people have agreed to. */
@NullMarked
package dev.toolgate.store.upstream;

import org.jspecify.annotations.NullMarked;
