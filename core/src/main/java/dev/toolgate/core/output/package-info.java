/** Truncating and escaping text for display. */
@NullMarked
package dev.toolgate.core.output;

import org.jspecify.annotations.NullMarked;
