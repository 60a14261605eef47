/** Signed checkpoints: Merkle tree heads of audit chains as C2SP signed notes, and the stores for them. */
@NullMarked
package dev.toolgate.store.checkpoint;

import org.jspecify.annotations.NullMarked;
