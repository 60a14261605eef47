/** Connections to the database: pooled, unpooled and listening ones, and their timeouts. */
@NullMarked
package dev.toolgate.store.connection;

import org.jspecify.annotations.NullMarked;
