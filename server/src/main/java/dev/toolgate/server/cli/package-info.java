/** The command line, one file per command. */
@NullMarked
package dev.toolgate.server.cli;

import org.jspecify.annotations.NullMarked;
