/** Storing, reading and deleting artifacts over HTTP. */
@NullMarked
package dev.toolgate.server.door.artifact;

import org.jspecify.annotations.NullMarked;
