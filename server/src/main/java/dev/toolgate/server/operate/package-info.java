/** Running the server: calls on their way, and what an operator sees of them. */
@NullMarked
package dev.toolgate.server.operate;

import org.jspecify.annotations.NullMarked;
