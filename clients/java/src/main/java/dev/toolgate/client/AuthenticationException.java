package dev.toolgate.client;

import org.jspecify.annotations.Nullable;

/** The gate does not accept the key. */
public final class AuthenticationException extends ToolgateException {
    AuthenticationException(String code, String message, String remediation, @Nullable String correlationId) {
        super(code, message, remediation, false, correlationId);
    }
}
