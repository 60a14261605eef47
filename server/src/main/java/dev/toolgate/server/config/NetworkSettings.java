package dev.toolgate.server.config;

import java.util.List;

/** What network tools may reach beyond the public internet. */
public record NetworkSettings(
        @Setting("Addresses inside the own network, for example 10.1.0.0/16 or wiki.internal:8080.")
        List<String> internalPlaces) {
    public NetworkSettings {
        internalPlaces = List.copyOf(internalPlaces);
    }
}
