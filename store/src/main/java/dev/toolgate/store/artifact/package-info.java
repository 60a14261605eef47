/** The artifact index in PostgreSQL, and its retention. */
@NullMarked
package dev.toolgate.store.artifact;

import org.jspecify.annotations.NullMarked;
