/** Rate limits on calls, and on callers whose calls keep being refused. */
@NullMarked
package dev.toolgate.core.limit;

import org.jspecify.annotations.NullMarked;
