/** Connections to the database: the pool, its limits, and connections outside of it. */
@NullMarked
package dev.toolgate.store.connection;

import org.jspecify.annotations.NullMarked;
