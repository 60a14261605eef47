/** Changes that are no calls of tools, and their way on record. */
@NullMarked
package dev.toolgate.core.audit;

import org.jspecify.annotations.NullMarked;
