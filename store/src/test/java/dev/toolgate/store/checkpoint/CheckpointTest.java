package dev.toolgate.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
    private static final UUID CHAIN = UUID.fromString("3f2c1a4e-0000-4000-8000-000000000001");
    private static final TreeHead HEAD = new TreeHead(CHAIN, 5, "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=");

    @TempDir
    private Path folder;

    @Test
    void the_example_key_of_the_go_note_package_is_parsed() {
        // The example key of Go's package for signed notes.
        VerifierKey key = VerifierKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");

        assertThat(key.id()).isEqualTo("c74f20a3");
        assertThat(key).hasToString("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
        assertThatThrownBy(
                        () -> VerifierKey.parse("PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"))
                .hasMessageContaining("does not match the key");
    }

    @Test
    void openssl_accepts_the_signature_of_a_note() throws Exception {
        SigningKey key = SigningKey.loadOrCreate(folder.resolve("key"), "toolgate");
        String note = Checkpoint.sign(Checkpoint.Kind.HEAD, HEAD, key).note();
        List<String> lines = note.lines().toList();
        assertThat(lines.subList(0, 4)).containsExactly("toolgate/" + CHAIN, "5", HEAD.root(), "");
        assertThat(lines.get(4)).startsWith("\u2014 toolgate ");
        byte[] signature =
                Base64.getDecoder().decode(lines.get(4).substring(lines.get(4).lastIndexOf(' ') + 1));
        Path text = Files.writeString(folder.resolve("text"), note.substring(0, note.indexOf("\n\n") + 1));
        Path bare =
                Files.write(folder.resolve("signature"), java.util.Arrays.copyOfRange(signature, 4, signature.length));
        Path der = Files.write(folder.resolve("key.der"), key.verifier().encoded());

        assertThat(opensslVerifies(der, text, bare)).isTrue();
        Files.writeString(text, "x", StandardOpenOption.APPEND);
        assertThat(opensslVerifies(der, text, bare)).isFalse();
    }

    private static boolean opensslVerifies(Path key, Path text, Path signature) throws Exception {
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "pkeyutl",
                        "-verify",
                        "-pubin",
                        "-keyform",
                        "DER",
                        "-inkey",
                        key.toString(),
                        "-rawin",
                        "-in",
                        text.toString(),
                        "-sigfile",
                        signature.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = openssl.waitFor();
        assertThat(said).contains("Verif");
        return code == 0;
    }

    @Test
    void a_note_that_was_changed_or_signed_with_another_key_is_rejected() {
        SigningKey key = SigningKey.generate("toolgate");
        String note = Checkpoint.sign(Checkpoint.Kind.HEAD, HEAD, key).note();
        List<VerifierKey> keys = List.of(key.verifier());

        assertThat(read(note).isSignedBy(keys)).isTrue();
        assertThat(read(note.replace("\n5\n", "\n4\n")).isSignedBy(keys)).isFalse();
        assertThat(read(note.replace(CHAIN.toString(), UUID.randomUUID().toString()))
                        .isSignedBy(keys))
                .isFalse();
        assertThat(read(note).isSignedBy(List.of(SigningKey.generate("toolgate").verifier())))
                .isFalse();
        assertThat(read(note).isSignedBy(List.of())).isFalse();
        String cosigned = note + "\u2014 witness.example " + Base64.getEncoder().encodeToString(new byte[68]) + "\n";
        assertThat(read(cosigned).isSignedBy(keys))
                .as("unknown signatures are ignored")
                .isTrue();
        for (String other : List.of("", "\n\n", "hello\n\n\u2014 toolgate AAAA\n", note.replace("\n5\n", "\n05\n"))) {
            assertThat(Checkpoint.read(other)).isEmpty();
        }
    }

    private static Checkpoint read(String note) {
        return Checkpoint.read(note).orElseThrow();
    }

    @Test
    void the_signing_key_is_generated_once_and_private() throws Exception {
        Path file = folder.resolve("key");
        VerifierKey first = SigningKey.loadOrCreate(file, "toolgate").verifier();

        assertThat(SigningKey.loadOrCreate(file, "toolgate").verifier()).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> SigningKey.loadOrCreate(file, "toolgate"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0600");
    }

    @Test
    void instances_that_start_together_have_one_key() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path file = folder.resolve("key" + round);
            try (ExecutorService instances = Executors.newFixedThreadPool(4)) {
                Callable<VerifierKey> start =
                        () -> SigningKey.loadOrCreate(file, "toolgate").verifier();
                Set<VerifierKey> keys = new HashSet<>();
                for (Future<VerifierKey> key : instances.invokeAll(Collections.nCopies(4, start))) {
                    keys.add(key.get());
                }
                assertThat(keys).containsExactly(start.call());
            }
        }
    }

    @Test
    void checkpoints_after_an_incomplete_one_are_still_read() throws Exception {
        SigningKey key = SigningKey.generate("toolgate");
        CheckpointFolder place = new CheckpointFolder(folder);
        place.save(Checkpoint.sign(Checkpoint.Kind.HEAD, HEAD, key));
        Files.writeString(
                folder.resolve(CHAIN + ".checkpoints"), "\ntoolgate/" + CHAIN + "\n6", StandardOpenOption.APPEND);
        place.save(Checkpoint.sign(Checkpoint.Kind.HEAD, new TreeHead(CHAIN, 7, HEAD.root()), key));

        List<Long> sizes = new ArrayList<>();
        place.read(found -> sizes.add(
                found.isSignedBy(List.of(key.verifier())) ? found.head().size() : -1));
        assertThat(sizes).containsExactly(5L, 7L);
    }
}
