package dev.toolgate.server.config;

import java.time.Duration;

/** What a client may ask of the HTTP server. */
public record HttpSection(
        @Setting(value = "The largest request body.", initial = "10MB", least = "1KB", most = "16MB")
        ByteSize maxBody,

        @Setting(value = "How long a connection may be silent.", initial = "30s", least = "1s", most = "1h")
        Duration idleTimeout,

        @Setting(value = "How long a client may take to send one request.", initial = "20s", least = "1s", most = "1h")
        Duration requestTimeout,

        @Setting(value = "How many connections there may be.", initial = "10000", least = "1", most = "1000000")
        int maxConnections,

        @Setting(
                value = "How many requests are worked on at once; more are told to come back.",
                initial = "4000",
                least = "1",
                most = "1000000")
        int maxConcurrentRequests,

        @Setting(
                value = "How long running calls may go on when the server stops.",
                initial = "20s",
                least = "0s",
                most = "1h")
        Duration grace) {}
