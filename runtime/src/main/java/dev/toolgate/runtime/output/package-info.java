/** Output of running programs: captured, truncated, spooled and stored as artifacts. */
@NullMarked
package dev.toolgate.runtime.output;

import org.jspecify.annotations.NullMarked;
