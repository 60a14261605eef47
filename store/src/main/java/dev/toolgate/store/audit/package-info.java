/** The durable record of every call, kept in PostgreSQL. */
@NullMarked
package dev.toolgate.store.audit;

import org.jspecify.annotations.NullMarked;
