/** What the core needs from the outside. */
@NullMarked
package dev.toolgate.core.approval;

import org.jspecify.annotations.NullMarked;
