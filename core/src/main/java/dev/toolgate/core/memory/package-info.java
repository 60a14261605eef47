/** What agents remember from one call to the next. */
@NullMarked
package dev.toolgate.core.memory;

import org.jspecify.annotations.NullMarked;
