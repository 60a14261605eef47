/** What the core needs from the outside. */
@NullMarked
package dev.toolgate.core.port;

import org.jspecify.annotations.NullMarked;
