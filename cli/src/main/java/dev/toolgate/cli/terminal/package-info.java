/** Printing to a terminal and reading from one. */
@NullMarked
package dev.toolgate.cli.terminal;

import org.jspecify.annotations.NullMarked;
