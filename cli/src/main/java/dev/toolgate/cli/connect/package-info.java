/** {@code toolgate connect}: sets MCP clients up to use the gate. */
@NullMarked
package dev.toolgate.cli.connect;

import org.jspecify.annotations.NullMarked;
