/** Files that several processes may write. */
@NullMarked
package dev.toolgate.core.file;

import org.jspecify.annotations.NullMarked;
