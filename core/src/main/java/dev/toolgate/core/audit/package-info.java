/** The audit log, and changes other than tool calls that are put on it. */
@NullMarked
package dev.toolgate.core.audit;

import org.jspecify.annotations.NullMarked;
