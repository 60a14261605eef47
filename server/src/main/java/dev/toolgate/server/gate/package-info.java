/** The gate: the one way from a principal to a tool call, whichever door the request came in by. */
@NullMarked
package dev.toolgate.server.gate;

import org.jspecify.annotations.NullMarked;
