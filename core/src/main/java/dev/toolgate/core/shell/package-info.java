/** Reads lines for the shell, to know every command they would run; what it cannot read with certainty it refuses. */
@NullMarked
package dev.toolgate.core.shell;

import org.jspecify.annotations.NullMarked;
