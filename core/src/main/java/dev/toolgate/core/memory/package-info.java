/** Memory of agents across calls. */
@NullMarked
package dev.toolgate.core.memory;

import org.jspecify.annotations.NullMarked;
