/** Sessions and what binds them, kept in PostgreSQL. */
@NullMarked
package dev.toolgate.store.policy;

import org.jspecify.annotations.NullMarked;
