/** Counts of audit records by time: how they are kept up to date, and queries that use them. */
@NullMarked
package dev.toolgate.store.audit.rollup;

import org.jspecify.annotations.NullMarked;
