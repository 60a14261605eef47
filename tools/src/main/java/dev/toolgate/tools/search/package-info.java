/** Searching the web, by whichever engine answers. */
@NullMarked
package dev.toolgate.tools.search;

import org.jspecify.annotations.NullMarked;
