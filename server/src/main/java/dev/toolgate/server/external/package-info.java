/** Tools that run elsewhere, as this instance offers them. */
@NullMarked
package dev.toolgate.server.external;

import org.jspecify.annotations.NullMarked;
