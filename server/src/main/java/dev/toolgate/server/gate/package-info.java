/** The gate: the only way from a principal to a tool call, for all doors. */
@NullMarked
package dev.toolgate.server.gate;

import org.jspecify.annotations.NullMarked;
