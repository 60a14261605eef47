/** Hash chains of audit records: their heads, their verification, and the comparison with checkpoints. */
@NullMarked
package dev.toolgate.store.audit.chain;

import org.jspecify.annotations.NullMarked;
