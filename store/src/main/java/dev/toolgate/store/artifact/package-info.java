/** The list of artifacts in PostgreSQL, and how long they stay on it. */
@NullMarked
package dev.toolgate.store.artifact;

import org.jspecify.annotations.NullMarked;
