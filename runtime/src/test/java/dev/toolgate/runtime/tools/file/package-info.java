@NullMarked
package dev.toolgate.runtime.tools.file;

import org.jspecify.annotations.NullMarked;
