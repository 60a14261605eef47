package dev.toolgate.store.session;

import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The most recently used policy bundles by their text. A session is read for every call, but its bundle seldom
 * changes.
 */
final class ParsedBundles {
    private static final int MAX_BUNDLES = 256;
    private static final int MAX_TEXT_LENGTH = 16 << 10; // longer ones are parsed every time

    private final Map<String, PolicyBundle> parsed = new LinkedHashMap<>(16, 0.75f, true) { // guarded by this
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, PolicyBundle> eldest) {
                    return size() > MAX_BUNDLES;
                }
            };

    PolicyBundle read(String text) {
        return text.length() > MAX_TEXT_LENGTH ? PolicyBundleJson.read(text) : remembered(text);
    }

    private synchronized PolicyBundle remembered(String text) {
        return parsed.computeIfAbsent(text, PolicyBundleJson::read);
    }
}
