/** Chains of records: where they end, whether they are whole, and how they compare with checkpoints. */
@NullMarked
package dev.toolgate.store.audit.chain;

import org.jspecify.annotations.NullMarked;
