/** Undo from the record: which changes can be taken back, and what taking one back would do. */
@NullMarked
package dev.toolgate.server.undo;

import org.jspecify.annotations.NullMarked;
