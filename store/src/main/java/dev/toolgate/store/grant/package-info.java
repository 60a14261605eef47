/** Who may use which tool, kept in PostgreSQL. */
@NullMarked
package dev.toolgate.store.grant;

import org.jspecify.annotations.NullMarked;
