/** The audit log for log collectors. */
@NullMarked
package dev.toolgate.server.operate.siem;

import org.jspecify.annotations.NullMarked;
