/** Health checks of the server. */
@NullMarked
package dev.toolgate.server.operate.health;

import org.jspecify.annotations.NullMarked;
