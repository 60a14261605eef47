/** Log-ins of people, at a real provider and at one that lies. */
@NullMarked
package dev.toolgate.server.signon;

import org.jspecify.annotations.NullMarked;
