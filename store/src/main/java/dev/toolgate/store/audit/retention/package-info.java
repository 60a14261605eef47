/** Retention of audit records: archiving, signed removal, and deletion. */
@NullMarked
package dev.toolgate.store.audit.retention;

import org.jspecify.annotations.NullMarked;
