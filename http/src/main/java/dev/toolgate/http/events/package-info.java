/** Server-sent events. */
@NullMarked
package dev.toolgate.http.events;

import org.jspecify.annotations.NullMarked;
