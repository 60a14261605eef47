/** The program: from a command line to a running gate. */
@NullMarked
package dev.toolgate.server;

import org.jspecify.annotations.NullMarked;
