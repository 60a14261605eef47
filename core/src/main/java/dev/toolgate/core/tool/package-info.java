/** Tools, their specifications and names, and the catalog. */
@NullMarked
package dev.toolgate.core.tool;

import org.jspecify.annotations.NullMarked;
