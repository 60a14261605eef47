/**
 * The Model Context Protocol: JSON-RPC messages, the revisions of both eras, a server and a client. Knows nothing of
 * the gate.
 */
@NullMarked
package dev.toolgate.mcp;

import org.jspecify.annotations.NullMarked;
