/** The settings of the server, read from defaults, a file, the environment and the command line. */
@NullMarked
package dev.toolgate.server.config;

import org.jspecify.annotations.NullMarked;
