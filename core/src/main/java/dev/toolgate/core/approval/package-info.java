/** Human approval of held calls: requests, votes and standing approvals. */
@NullMarked
package dev.toolgate.core.approval;

import org.jspecify.annotations.NullMarked;
