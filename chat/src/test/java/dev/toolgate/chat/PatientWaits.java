package dev.toolgate.chat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has tests wait a minute for what must happen: a busy machine may need longer than the usual ten seconds. It is found
 * by its name under META-INF/services, here and in every module that uses the scripted model servers.
 */
public final class PatientWaits implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    }
}
