/** Permissions in PostgreSQL: grants, groups, templates and history. */
@NullMarked
package dev.toolgate.store.grant;

import org.jspecify.annotations.NullMarked;
