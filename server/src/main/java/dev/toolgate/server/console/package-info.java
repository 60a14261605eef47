/** Serves the files of the web console, which the module {@code console} builds. */
@NullMarked
package dev.toolgate.server.console;

import org.jspecify.annotations.NullMarked;
