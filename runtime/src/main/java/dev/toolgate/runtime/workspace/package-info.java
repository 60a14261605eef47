/** Workspaces: opened when a call needs one, kept open while a call works in it, closed when nobody does. */
@NullMarked
package dev.toolgate.runtime.workspace;

import org.jspecify.annotations.NullMarked;
