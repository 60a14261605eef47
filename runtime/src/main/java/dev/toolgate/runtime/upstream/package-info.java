/** MCP servers behind the gate: the connection to each, its tools, and the programs that run in the sandbox. */
@NullMarked
package dev.toolgate.runtime.upstream;

import org.jspecify.annotations.NullMarked;
