/** Who is calling: keys, tokens, roles and what each role may do. */
@NullMarked
package dev.toolgate.server.identity;

import org.jspecify.annotations.NullMarked;
