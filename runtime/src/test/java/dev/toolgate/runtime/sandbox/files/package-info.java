@NullMarked
package dev.toolgate.runtime.sandbox.files;

import org.jspecify.annotations.NullMarked;
