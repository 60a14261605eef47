/** Approvals: the questions that held calls put to people, and their answers. */
@NullMarked
package dev.toolgate.core.approval;

import org.jspecify.annotations.NullMarked;
