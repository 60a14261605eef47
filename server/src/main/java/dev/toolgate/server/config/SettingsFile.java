package dev.toolgate.server.config;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads {@code toolgate.yaml}. */
final class SettingsFile {
    private SettingsFile() {}

    /** The content of a file; an empty object if it is empty. */
    static ObjectNode read(Path file) {
        YAMLMapper yaml = YAMLMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        JsonNode tree;
        try {
            tree = yaml.readTree(Files.readString(file));
        } catch (
                @SuppressWarnings("UnusedException") // its message quotes the file, which may hold secrets
                JacksonException wrong) {
            throw new InvalidSettings(file + ": is not valid YAML near line "
                    + wrong.getLocation().getLineNr()
                    + "; look for a wrong indent, a key given twice or a missing quote");
        } catch (NoSuchFileException missing) {
            throw new InvalidSettings(file + ": does not exist; give an existing file with --config");
        } catch (IOException unreadable) {
            throw new InvalidSettings(file + ": cannot be read: " + unreadable.getMessage());
        }
        if (tree.isMissingNode() || tree.isNull()) {
            return Json.MAPPER.createObjectNode();
        }
        if (tree instanceof ObjectNode object) {
            return object;
        }
        throw new InvalidSettings(file + ": must be a mapping of keys to values, for example 'ports: [8001, 3001]'");
    }
}
