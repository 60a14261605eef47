/** Runs commands for tools: confined, with a time limit and bounded, streamed output. */
@NullMarked
package dev.toolgate.runtime.command;

import org.jspecify.annotations.NullMarked;
