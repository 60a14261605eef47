/** Rate limits of calls. */
@NullMarked
package dev.toolgate.server.limit;

import org.jspecify.annotations.NullMarked;
