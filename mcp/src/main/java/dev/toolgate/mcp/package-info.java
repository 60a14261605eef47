/**
 * The Model Context Protocol: JSON-RPC messages, the revisions of both eras, a server and a client. Independent of the
 * gate.
 */
@NullMarked
package dev.toolgate.mcp;

import org.jspecify.annotations.NullMarked;
