/** Black-box tests of conversations. */
@NullMarked
package dev.toolgate.server.chat;

import org.jspecify.annotations.NullMarked;
