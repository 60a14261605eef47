/** Commands that work on this machine: serve, call, tools, doctor. */
@NullMarked
package dev.toolgate.cli.local;

import org.jspecify.annotations.NullMarked;
