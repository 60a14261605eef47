/** Allow, NeedsApproval or Deny, the rules that give them, and how they combine. */
@NullMarked
package dev.toolgate.core.decision;

import org.jspecify.annotations.NullMarked;
