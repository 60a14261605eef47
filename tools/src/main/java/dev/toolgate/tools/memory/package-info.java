/** The memory tools: saving, retrieving and deleting values across calls. */
@NullMarked
package dev.toolgate.tools.memory;

import org.jspecify.annotations.NullMarked;
