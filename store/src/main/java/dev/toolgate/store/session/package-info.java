/** Policy sessions in PostgreSQL. */
@NullMarked
package dev.toolgate.store.session;

import org.jspecify.annotations.NullMarked;
