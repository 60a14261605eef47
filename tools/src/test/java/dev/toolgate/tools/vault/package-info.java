@NullMarked
package dev.toolgate.tools.vault;

import org.jspecify.annotations.NullMarked;
