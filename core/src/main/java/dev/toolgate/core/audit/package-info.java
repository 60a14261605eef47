/** The audit log of tool calls and other changes. */
@NullMarked
package dev.toolgate.core.audit;

import org.jspecify.annotations.NullMarked;
