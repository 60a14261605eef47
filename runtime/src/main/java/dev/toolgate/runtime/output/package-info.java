/** Output of running programs: captured, cut, spooled and turned into artifacts. */
@NullMarked
package dev.toolgate.runtime.output;

import org.jspecify.annotations.NullMarked;
