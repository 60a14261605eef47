/** Log formats, with secrets masked. */
@NullMarked
package dev.toolgate.server.operate.log;

import org.jspecify.annotations.NullMarked;
