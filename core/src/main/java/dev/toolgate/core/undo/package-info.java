/** What is kept of changes so that they can be taken back from their records. */
@NullMarked
package dev.toolgate.core.undo;

import org.jspecify.annotations.NullMarked;
