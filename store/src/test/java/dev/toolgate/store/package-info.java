@NullMarked
package dev.toolgate.store;

import org.jspecify.annotations.NullMarked;
