/** The policy bundle of a session. */
@NullMarked
package dev.toolgate.core.policy;

import org.jspecify.annotations.NullMarked;
