/** The workspace folder of each tenant. */
@NullMarked
package dev.toolgate.server.tenant;

import org.jspecify.annotations.NullMarked;
