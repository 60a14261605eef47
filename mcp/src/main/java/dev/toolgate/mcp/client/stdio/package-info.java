/** Servers that are local programs: messages as lines on standard input and output, and how such a program is ended. */
@NullMarked
package dev.toolgate.mcp.client.stdio;

import org.jspecify.annotations.NullMarked;
