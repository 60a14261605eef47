/** What a server offers, and what those who offer it see of a request. */
@NullMarked
package dev.toolgate.mcp.server.offer;

import org.jspecify.annotations.NullMarked;
