/** Undo of recorded changes: which can be undone, and a preview of the effect. */
@NullMarked
package dev.toolgate.server.undo;

import org.jspecify.annotations.NullMarked;
