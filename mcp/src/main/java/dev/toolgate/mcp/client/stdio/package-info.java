/** Servers that are programs: messages on lines of their standard input and output, and how such a program is ended. */
@NullMarked
package dev.toolgate.mcp.client.stdio;

import org.jspecify.annotations.NullMarked;
