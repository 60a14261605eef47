/** Writes the audit log: many calls in one commit, each answered when it is durable. */
@NullMarked
package dev.toolgate.store.audit.write;

import org.jspecify.annotations.NullMarked;
