/** Commands confined without bubblewrap, by kernel features that need no privileges. */
@NullMarked
package dev.toolgate.runtime.sandbox.command.degraded;

import org.jspecify.annotations.NullMarked;
