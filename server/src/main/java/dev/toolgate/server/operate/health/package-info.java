/** Whether the server can do its work. */
@NullMarked
package dev.toolgate.server.operate.health;

import org.jspecify.annotations.NullMarked;
