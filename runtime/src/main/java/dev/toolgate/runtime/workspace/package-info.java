/** Workspaces: opened on the first call, shared while in use, closed when idle. */
@NullMarked
package dev.toolgate.runtime.workspace;

import org.jspecify.annotations.NullMarked;
