package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.util.List;
import java.util.Map;

/** Settings of the network access of tools beyond the public internet. */
public record NetworkSettings(
        @Setting("By tenant, internal addresses that its tools may reach, for example 10.1.0.0/16 or"
                + " wiki.internal:8080.")
        Map<String, List<String>> internalPlaces) {
    public NetworkSettings {
        internalPlaces = Map.copyOf(internalPlaces);
    }
}
