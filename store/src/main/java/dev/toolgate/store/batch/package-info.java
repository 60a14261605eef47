/** Gathers what many callers want from the database into few statements. */
@NullMarked
package dev.toolgate.store.batch;

import org.jspecify.annotations.NullMarked;
