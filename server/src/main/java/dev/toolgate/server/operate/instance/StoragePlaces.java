package dev.toolgate.server.operate.instance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The storage places that all servers on one database must share. */
public final class StoragePlaces {
    private final Map<String, String> identities = new LinkedHashMap<>();
    private final Map<String, String> remedies = new LinkedHashMap<>();
    private final List<FolderIdentity> folders = new ArrayList<>();

    /**
     * Adds a folder, which must exist.
     *
     * @param name the name of the place
     * @param remedy how to set it to a shared one, as part of a sentence
     */
    public StoragePlaces folder(String name, Path folder, String remedy) throws IOException {
        FolderIdentity identity = FolderIdentity.of(folder);
        folders.add(identity);
        return add(name, identity.text(), remedy);
    }

    /** Adds a bucket. */
    public StoragePlaces bucket(String name, String address, String remedy) {
        return add(name, "bucket:" + address, remedy);
    }

    private StoragePlaces add(String name, String identity, String remedy) {
        identities.put(name, identity);
        remedies.put(name, remedy);
        return this;
    }

    Map<String, String> identities() {
        return identities;
    }

    /** The names of the places that differ from those of another server. */
    List<String> differing(Map<String, String> others) {
        return identities.entrySet().stream()
                .filter(place -> !place.getValue().equals(others.get(place.getKey())))
                .map(Map.Entry::getKey)
                .toList();
    }

    String remedy(String name) {
        return String.valueOf(remedies.get(name));
    }

    /** Restores missing identity files of folders. */
    void restore() throws IOException {
        for (FolderIdentity folder : folders) {
            folder.restore();
        }
    }
}
