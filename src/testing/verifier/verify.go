// Checks a public log by Go's own verifiers (golang.org/x/mod/sumdb), with none of our code: the checkpoint's signature, that entries are
// included, and that the log only grew from earlier checkpoints. It reads the log's files below a folder, as /log/ serves them:
//
//	verify FOLDER INDEX...
//
// FOLDER has key, checkpoint, tile/…, and earlier checkpoints in kept/. It ends with status 1 and a line at the first thing that is wrong.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type tiles struct{ folder string }

func (t tiles) Height() int { return 8 }

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// Tiles as tlog-tiles names them: without the height, which is always 8, and entries in bundles.
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		data, err := os.ReadFile(filepath.Join(t.folder, strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

func (t tiles) entry(index int64, size int64) ([]byte, error) {
	tile := tlog.Tile{H: 8, L: -1, N: index / 256, W: 256}
	if left := size - tile.N*256; left < 256 {
		tile.W = int(left)
	}
	data, err := os.ReadFile(filepath.Join(t.folder, strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1)))
	for at := int64(0); err == nil; at++ {
		length := int(data[0])<<8 | int(data[1])
		if at == index%256 {
			return data[2 : 2+length], nil
		}
		data = data[2+length:]
	}
	return nil, err
}

func fail(what string, err error) {
	fmt.Printf("%s: %v\n", what, err)
	os.Exit(1)
}

func open(path string, keys note.Verifiers, origin string) (int64, tlog.Hash) {
	signed, err := os.ReadFile(path)
	if err != nil {
		fail(path, err)
	}
	opened, err := note.Open(signed, keys)
	if err != nil {
		fail(path, err)
	}
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || lines[0] != origin {
		fail(path, fmt.Errorf("is of %q: %v", lines[0], err))
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		fail(path, err)
	}
	return size, root
}

func main() {
	folder := os.Args[1]
	key, err := os.ReadFile(filepath.Join(folder, "key"))
	if err != nil {
		fail("key", err)
	}
	verifier, err := note.NewVerifier(strings.TrimSpace(string(key)))
	if err != nil {
		fail("key", err)
	}
	keys := note.VerifierList(verifier)
	size, root := open(filepath.Join(folder, "checkpoint"), keys, verifier.Name())
	files := tiles{folder}
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, files)
	for _, arg := range os.Args[2:] {
		index, _ := strconv.ParseInt(arg, 10, 64)
		entry, err := files.entry(index, size)
		if err != nil {
			fail("entry "+arg, err)
		}
		proof, err := tlog.ProveRecord(size, index, reader)
		if err != nil {
			fail("inclusion of "+arg, err)
		}
		if err := tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(entry)); err != nil {
			fail("inclusion of "+arg, err)
		}
	}
	kept, _ := filepath.Glob(filepath.Join(folder, "kept", "*"))
	for _, path := range kept {
		old, oldRoot := open(path, keys, verifier.Name())
		proof, err := tlog.ProveTree(size, old, reader)
		if err != nil {
			fail("consistency with "+path, err)
		}
		if err := tlog.CheckTree(proof, size, root, old, oldRoot); err != nil {
			fail("consistency with "+path, err)
		}
	}
	fmt.Printf("%d entries: %d included, consistent with %d earlier checkpoints\n", size, len(os.Args)-2, len(kept))
}
