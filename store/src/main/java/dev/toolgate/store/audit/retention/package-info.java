/** How long audit records stay, and what is archived and vouched for before they go. */
@NullMarked
package dev.toolgate.store.audit.retention;

import org.jspecify.annotations.NullMarked;
