/** WebSockets. */
@NullMarked
package dev.toolgate.http.socket;

import org.jspecify.annotations.NullMarked;
