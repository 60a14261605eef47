/** Where the secrets of tools come from, and that nobody sees them afterwards. */
@NullMarked
package dev.toolgate.server.secret;

import org.jspecify.annotations.NullMarked;
