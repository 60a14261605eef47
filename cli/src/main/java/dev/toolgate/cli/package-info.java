/** The program: the command line that starts the server and is a client of it. */
@NullMarked
package dev.toolgate.cli;

import org.jspecify.annotations.NullMarked;
