/** The command for MCP servers behind the gate, and the files of other programs that it imports. */
@NullMarked
package dev.toolgate.cli.upstream;

import org.jspecify.annotations.NullMarked;
