/** An embedded PostgreSQL server, so that no database has to be installed. */
@NullMarked
package dev.toolgate.store.embedded;

import org.jspecify.annotations.NullMarked;
