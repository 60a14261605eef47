/** What agents remember from one call to the next: saving, retrieving, deleting. */
@NullMarked
package dev.toolgate.tools.memory;

import org.jspecify.annotations.NullMarked;
