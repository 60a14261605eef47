/** The MCP servers behind the gate, and the definitions of their tools that people have agreed to. */
@NullMarked
package dev.toolgate.store.upstream;

import org.jspecify.annotations.NullMarked;
