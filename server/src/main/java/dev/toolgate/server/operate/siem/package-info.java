/** Export of the audit log to log collectors. */
@NullMarked
package dev.toolgate.server.operate.siem;

import org.jspecify.annotations.NullMarked;
