/** How often tools may be called. */
@NullMarked
package dev.toolgate.server.limit;

import org.jspecify.annotations.NullMarked;
