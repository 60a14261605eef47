/** Trials of the whole server: real PostgreSQL, real sockets, real processes. */
@NullMarked
package dev.toolgate.server.trial;

import org.jspecify.annotations.NullMarked;
