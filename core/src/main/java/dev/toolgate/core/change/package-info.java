/** Changes that are no calls of tools, and their way on record. */
@NullMarked
package dev.toolgate.core.change;

import org.jspecify.annotations.NullMarked;
