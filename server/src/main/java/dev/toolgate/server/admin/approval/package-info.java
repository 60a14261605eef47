/** Approval requests and people's answers to them. */
@NullMarked
package dev.toolgate.server.admin.approval;

import org.jspecify.annotations.NullMarked;
