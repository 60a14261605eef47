/** Tools that their callers run themselves, as this instance offers them. */
@NullMarked
package dev.toolgate.server.external;

import org.jspecify.annotations.NullMarked;
