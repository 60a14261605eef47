/** Audit records: their columns, JSON and CSV forms, digest, and position in a chain. */
@NullMarked
package dev.toolgate.store.audit.record;

import org.jspecify.annotations.NullMarked;
