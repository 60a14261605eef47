/** The HTTP server on Jetty: accepts connections, dispatches requests to routes, writes responses. */
@NullMarked
package dev.toolgate.http.server;

import org.jspecify.annotations.NullMarked;
