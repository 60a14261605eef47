/** Administration on record. */
@NullMarked
package dev.toolgate.server.change;

import org.jspecify.annotations.NullMarked;
