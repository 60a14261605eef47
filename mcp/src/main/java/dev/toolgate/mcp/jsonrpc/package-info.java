/** JSON-RPC 2.0 as MCP uses it: messages, ids, errors, and a reader for untrusted input with limits. */
@NullMarked
package dev.toolgate.mcp.jsonrpc;

import org.jspecify.annotations.NullMarked;
