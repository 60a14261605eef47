/** Builds the server from its settings, one class for each part. */
@NullMarked
package dev.toolgate.server.wiring;

import org.jspecify.annotations.NullMarked;
