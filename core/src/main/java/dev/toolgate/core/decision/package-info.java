/** Decisions (Allow, NeedsApproval, Deny), the rules that make them, and how they combine. */
@NullMarked
package dev.toolgate.core.decision;

import org.jspecify.annotations.NullMarked;
