/** Read-only queries on databases. */
@NullMarked
package dev.toolgate.tools.database;

import org.jspecify.annotations.NullMarked;
