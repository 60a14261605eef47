/** Parses shell command lines to find every command they would run; what cannot be parsed with certainty is refused. */
@NullMarked
package dev.toolgate.core.shell;

import org.jspecify.annotations.NullMarked;
