/** Commands run for tools: confined, in time, with output that is bounded and can be followed. */
@NullMarked
package dev.toolgate.runtime.command;

import org.jspecify.annotations.NullMarked;
