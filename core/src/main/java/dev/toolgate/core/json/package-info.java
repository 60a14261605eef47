/** JSON mapping and timestamps. */
@NullMarked
package dev.toolgate.core.json;

import org.jspecify.annotations.NullMarked;
