/** Changes that are kept so that they can be undone from their audit records. */
@NullMarked
package dev.toolgate.core.undo;

import org.jspecify.annotations.NullMarked;
