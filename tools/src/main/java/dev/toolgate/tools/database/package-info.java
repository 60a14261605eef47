/** Questions to databases, which change nothing in them. */
@NullMarked
package dev.toolgate.tools.database;

import org.jspecify.annotations.NullMarked;
