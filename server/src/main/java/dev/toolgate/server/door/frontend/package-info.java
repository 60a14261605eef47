/** The tool backend for web front ends: {@code /tools} and {@code /execute-tool}. */
@NullMarked
package dev.toolgate.server.door.frontend;

import org.jspecify.annotations.NullMarked;
