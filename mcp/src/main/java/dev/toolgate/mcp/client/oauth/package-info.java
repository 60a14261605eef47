/** OAuth for clients of protected servers: discovery, registration, grants, refresh, and tokens bound to their issuer. */
@NullMarked
package dev.toolgate.mcp.client.oauth;

import org.jspecify.annotations.NullMarked;
