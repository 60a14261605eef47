/** Reading web pages: fetching, rendering where scripts make the page, and summing up. */
@NullMarked
package dev.toolgate.tools.web;

import org.jspecify.annotations.NullMarked;
