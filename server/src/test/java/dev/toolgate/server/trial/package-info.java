/** End-to-end tests of the whole server with real PostgreSQL, sockets and processes. */
@NullMarked
package dev.toolgate.server.trial;

import org.jspecify.annotations.NullMarked;
