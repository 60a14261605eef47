package dev.toolgate.tools.web;

import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;

/** Summarises a page for a task. */
@FunctionalInterface
public interface Summariser {

    /** The parts of the page that are relevant for the task. */
    Summary summarise(PageText page, String task, ToolContext context) throws ToolFailure, InterruptedException;
}
