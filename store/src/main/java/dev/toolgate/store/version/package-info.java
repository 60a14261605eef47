/** Knowing that what is in memory is still what the database says. */
@NullMarked
package dev.toolgate.store.version;

import org.jspecify.annotations.NullMarked;
