/** Looks at permissions without changing them: all at once, for one call, and for a change that is only a draft. */
@NullMarked
package dev.toolgate.server.admin.review;

import org.jspecify.annotations.NullMarked;
