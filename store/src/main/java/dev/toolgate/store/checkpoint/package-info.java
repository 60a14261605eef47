/** Signed checkpoints: Merkle tree heads of audit chains as C2SP signed notes, and the places they are kept in. */
@NullMarked
package dev.toolgate.store.checkpoint;

import org.jspecify.annotations.NullMarked;
