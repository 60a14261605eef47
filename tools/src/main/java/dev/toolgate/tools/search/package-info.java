/** Web search with several providers. */
@NullMarked
package dev.toolgate.tools.search;

import org.jspecify.annotations.NullMarked;
