/** Shaping text so that it fits and stays readable. */
@NullMarked
package dev.toolgate.core.output;

import org.jspecify.annotations.NullMarked;
