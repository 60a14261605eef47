/** What an operator can set, read from defaults, a file, the environment and the command line. */
@NullMarked
package dev.toolgate.server.config;

import org.jspecify.annotations.NullMarked;
