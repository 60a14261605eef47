package dev.toolgate.store.grant;

import java.util.List;

/** A named set of tools for a common role. */
public record Template(String templateId, String name, String description, List<String> tools) {
    public Template {
        tools = List.copyOf(tools);
    }
}
