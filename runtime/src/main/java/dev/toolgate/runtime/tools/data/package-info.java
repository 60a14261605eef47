/** Tools that work on data with scripts: the script runs confined, and sees its input and nothing else. */
@NullMarked
package dev.toolgate.runtime.tools.data;

import org.jspecify.annotations.NullMarked;
