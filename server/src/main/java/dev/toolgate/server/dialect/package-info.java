/** What the doors share. */
@NullMarked
package dev.toolgate.server.dialect;

import org.jspecify.annotations.NullMarked;
