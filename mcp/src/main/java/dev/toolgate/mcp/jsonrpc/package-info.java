/** JSON-RPC 2.0 as MCP uses it: messages, ids, errors, and a bounded reader for what strangers send. */
@NullMarked
package dev.toolgate.mcp.jsonrpc;

import org.jspecify.annotations.NullMarked;
