/** Tools that need a service or a library of their own, one package each; embedding works without them. */
@NullMarked
package dev.toolgate.tools;

import org.jspecify.annotations.NullMarked;
