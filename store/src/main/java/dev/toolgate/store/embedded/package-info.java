/** A PostgreSQL server of our own, so that nobody has to set one up. */
@NullMarked
package dev.toolgate.store.embedded;

import org.jspecify.annotations.NullMarked;
