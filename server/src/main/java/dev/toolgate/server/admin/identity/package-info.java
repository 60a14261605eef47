/** Administration of keys and tenants, and log-ins to the console. */
@NullMarked
package dev.toolgate.server.admin.identity;

import org.jspecify.annotations.NullMarked;
