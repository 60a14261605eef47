/** Log lines, for people and for programs, without secrets. */
@NullMarked
package dev.toolgate.server.operate.log;

import org.jspecify.annotations.NullMarked;
