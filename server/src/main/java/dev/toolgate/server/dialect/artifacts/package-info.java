/** Storing, reading and deleting artifacts over HTTP. */
@NullMarked
package dev.toolgate.server.dialect.artifacts;

import org.jspecify.annotations.NullMarked;
