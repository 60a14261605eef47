/** What a tool is, what it is called, and the catalog that holds all of them. */
@NullMarked
package dev.toolgate.core.tool;

import org.jspecify.annotations.NullMarked;
