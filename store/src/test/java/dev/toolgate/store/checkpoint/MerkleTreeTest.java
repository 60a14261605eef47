package dev.toolgate.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class MerkleTreeTest {

    @Test
    void computes_the_published_roots_of_rfc_6962() {
        // The test vectors of certificate transparency implementations.
        List<String> leaves = List.of(
                "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");
        List<String> roots = List.of(
                "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
        MerkleTree tree = new MerkleTree();
        assertThat(HexFormat.of().formatHex(tree.root()))
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (int i = 0; i < leaves.size(); i++) {
            tree.add(HexFormat.of().parseHex(leaves.get(i)));
            assertThat(HexFormat.of().formatHex(tree.root())).isEqualTo(roots.get(i));
        }
    }

    @Test
    void a_restored_tree_continues_like_the_original() {
        List<byte[]> leaves = new ArrayList<>();
        MerkleTree whole = new MerkleTree();
        for (int size = 0; size < 70; size++) {
            assertThat(whole.root()).isEqualTo(recursively(leaves));
            MerkleTree kept = new MerkleTree(whole.size(), whole.subtrees());
            byte[] leaf = ByteBuffer.allocate(4).putInt(size).array();
            leaves.add(leaf);
            whole.add(leaf);
            kept.add(leaf);
            assertThat(kept.root()).isEqualTo(whole.root());
        }
        assertThatThrownBy(() -> new MerkleTree(3, List.of(new byte[32]))).isInstanceOf(IllegalArgumentException.class);
    }

    /** The recursive definition of RFC 6962. */
    private static byte[] recursively(List<byte[]> leaves) {
        if (leaves.isEmpty()) {
            return Sha256.of(new byte[0]);
        }
        if (leaves.size() == 1) {
            byte[] leaf = leaves.getFirst();
            return Sha256.of(
                    ByteBuffer.allocate(1 + leaf.length).put((byte) 0).put(leaf).array());
        }
        int left = Integer.highestOneBit(leaves.size() - 1);
        return Sha256.of(ByteBuffer.allocate(65)
                .put((byte) 1)
                .put(recursively(leaves.subList(0, left)))
                .put(recursively(leaves.subList(left, leaves.size())))
                .array());
    }
}
