/** Held calls: one state machine in the database, and the callers that wait for its changes. */
@NullMarked
package dev.toolgate.store.heldcall;

import org.jspecify.annotations.NullMarked;
