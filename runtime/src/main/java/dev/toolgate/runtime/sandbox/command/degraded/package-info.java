/** Commands confined without bubblewrap, by what the kernel offers to any process. */
@NullMarked
package dev.toolgate.runtime.sandbox.command.degraded;

import org.jspecify.annotations.NullMarked;
