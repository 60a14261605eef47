/** The memory of agents in PostgreSQL. */
@NullMarked
package dev.toolgate.store.memory;

import org.jspecify.annotations.NullMarked;
