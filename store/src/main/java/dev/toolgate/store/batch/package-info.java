/** Combines the database requests of many callers into few statements. */
@NullMarked
package dev.toolgate.store.batch;

import org.jspecify.annotations.NullMarked;
