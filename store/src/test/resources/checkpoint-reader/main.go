// Command checkpoint-reader verifies signed checkpoints against an audit export with the packages that the Go project
// uses for its own checksum database. It shares no code with Toolgate.
//
// usage: checkpoint-reader KEYS CHECKPOINTS EXPORT
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	if len(os.Args) != 4 {
		fail(errors.New("usage: checkpoint-reader KEYS CHECKPOINTS EXPORT"))
	}
	verifiers, err := readKeys(os.Args[1])
	if err != nil {
		fail(err)
	}
	trees, err := readExport(os.Args[3])
	if err != nil {
		fail(err)
	}
	notes, err := readNotes(os.Args[2])
	if err != nil {
		fail(err)
	}
	var last *checkpoint
	for _, signed := range notes {
		next, err := open(signed, verifiers)
		if err != nil {
			fail(err)
		}
		if err := trees[next.chain].verify(last, next); err != nil {
			fail(err)
		}
		fmt.Printf("verified %s size %d root %s\n", next.chain, next.tree.N, next.tree.Hash)
		last = next
	}
	if last == nil {
		fail(errors.New("there is no checkpoint"))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// readKeys reads one verifier key per line.
func readKeys(path string) (note.Verifiers, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var verifiers []note.Verifier
	for _, key := range strings.Fields(string(text)) {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", key, err)
		}
		verifiers = append(verifiers, verifier)
	}
	return note.VerifierList(verifiers...), nil
}

// readNotes reads the notes of a file, between which there is an empty line.
func readNotes(path string) ([][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parts := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n\n"))
	if len(parts)%2 != 0 {
		return nil, errors.New("a checkpoint has no signature")
	}
	var notes [][]byte
	for i := 0; i < len(parts); i += 2 {
		signed := append(append([]byte{}, parts[i]...), "\n\n"...)
		notes = append(notes, append(append(signed, parts[i+1]...), '\n'))
	}
	return notes, nil
}

// checkpoint is the body of a note: an origin that ends in the chain, a size and a root hash.
type checkpoint struct {
	chain string
	tree  tlog.Tree
}

func open(signed []byte, verifiers note.Verifiers) (*checkpoint, error) {
	opened, err := note.Open(signed, verifiers)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return nil, errors.New("the note is not a checkpoint of three lines")
	}
	prefix := opened.Sigs[0].Name + "/"
	if !strings.HasPrefix(lines[0], prefix) {
		return nil, fmt.Errorf("origin %q does not belong to %q", lines[0], opened.Sigs[0].Name)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return nil, err
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return nil, err
	}
	return &checkpoint{lines[0][len(prefix):], tlog.Tree{N: size, Hash: root}}, nil
}

// chainTree is the Merkle tree over the entries of one chain.
type chainTree struct {
	size   int64
	hashes []tlog.Hash
}

// ReadHashes makes chainTree a tlog.HashReader.
func (t *chainTree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		if index >= int64(len(t.hashes)) {
			return nil, errors.New("the export has fewer entries than the checkpoint")
		}
		found = append(found, t.hashes[index])
	}
	return found, nil
}

func (t *chainTree) add(entryHash []byte) error {
	stored, err := tlog.StoredHashes(t.size, entryHash, t)
	if err != nil {
		return err
	}
	t.hashes = append(t.hashes, stored...)
	t.size++
	return nil
}

// verify checks the root of a checkpoint, and that it extends the one before it.
func (t *chainTree) verify(earlier, later *checkpoint) error {
	if t == nil {
		return fmt.Errorf("the export has no chain %s", later.chain)
	}
	root, err := tlog.TreeHash(later.tree.N, t)
	if err != nil {
		return err
	}
	if root != later.tree.Hash {
		return fmt.Errorf("the %d entries of the export have root %s, not %s", later.tree.N, root, later.tree.Hash)
	}
	if earlier == nil || earlier.chain != later.chain {
		return nil
	}
	proof, err := tlog.ProveTree(later.tree.N, earlier.tree.N, t)
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, later.tree.N, later.tree.Hash, earlier.tree.N, earlier.tree.Hash)
}

// readExport builds a tree for each chain of an export in JSON lines, whose entries stand in the order of their chain.
func readExport(path string) (map[string]*chainTree, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	trees := map[string]*chainTree{}
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) == 0 {
			return trees, nil
		}
		var entry struct {
			Type     string `json:"type"`
			Chain    string `json:"instance_id"`
			Sequence int64  `json:"sequence"`
			Hash     string `json:"hash"`
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			return nil, err
		}
		if entry.Type == "record" || entry.Type == "anchor" {
			if trees[entry.Chain] == nil {
				trees[entry.Chain] = &chainTree{}
			}
			tree := trees[entry.Chain]
			hash, err := hex.DecodeString(entry.Hash)
			if err != nil {
				return nil, err
			}
			if entry.Sequence != tree.size+1 {
				return nil, fmt.Errorf("chain %s has entry %d after %d entries", entry.Chain, entry.Sequence, tree.size)
			}
			if err := tree.add(hash); err != nil {
				return nil, err
			}
		}
		if err != nil {
			return trees, nil
		}
	}
}
