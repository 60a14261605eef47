/** The audit log as a file that can be verified without the database. */
@NullMarked
package dev.toolgate.store.audit.export;

import org.jspecify.annotations.NullMarked;
