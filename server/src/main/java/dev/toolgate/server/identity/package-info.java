/** Authentication: keys, tokens and console log-ins. */
@NullMarked
package dev.toolgate.server.identity;

import org.jspecify.annotations.NullMarked;
