/** Writing the audit log: many calls per commit, each confirmed when it is durable. */
@NullMarked
package dev.toolgate.store.audit.write;

import org.jspecify.annotations.NullMarked;
