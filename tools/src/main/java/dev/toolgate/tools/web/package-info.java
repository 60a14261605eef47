/** Reading web pages: fetching, rendering and summarising. */
@NullMarked
package dev.toolgate.tools.web;

import org.jspecify.annotations.NullMarked;
