@NullMarked
package dev.toolgate.tools.build;

import org.jspecify.annotations.NullMarked;
