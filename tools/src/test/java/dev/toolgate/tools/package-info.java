@NullMarked
package dev.toolgate.tools;

import org.jspecify.annotations.NullMarked;
