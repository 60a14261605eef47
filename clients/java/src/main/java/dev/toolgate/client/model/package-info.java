/** What the gate answers and is asked, as records. Values of enumerations are strings, so that later ones are kept. */
@NullMarked
package dev.toolgate.client.model;

import org.jspecify.annotations.NullMarked;
