package dev.toolgate.chat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets Awaitility's default time-out to a minute, since a busy machine may need longer than ten seconds. Registered in
 * META-INF/services, here and for every module that uses the scripted model servers.
 */
public final class AwaitilityTimeout implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}
