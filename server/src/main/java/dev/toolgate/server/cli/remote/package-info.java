/** The part of the command line that talks to a running server. */
@NullMarked
package dev.toolgate.server.cli.remote;

import org.jspecify.annotations.NullMarked;
