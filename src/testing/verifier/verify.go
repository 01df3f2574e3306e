// Checks a public log by Go's own verifiers (golang.org/x/mod/sumdb), with none of our code: the checkpoint's signature, that entries are
// included, that the log only grew from earlier checkpoints, that the records of a position's file are what entries commit to, and that their
// nights, leverage and margin follow from them. It reads the log's files below a folder, as /log/ serves them:
//
//	verify FOLDER INDEX...
//
// FOLDER has key, checkpoint, tile/…, earlier checkpoints in kept/, and positions' files in files/. It ends with status 1 and a line at the first
// thing that is wrong.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
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
	return checkpoint(path, signed, keys, origin)
}

func checkpoint(path string, signed []byte, keys note.Verifiers, origin string) (int64, tlog.Hash) {
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

// A record with what proves it, as docs/proof.md describes it.
type proof struct {
	Index      int64
	Salt       string
	Record     map[string]any
	Inclusion  []string
	Checkpoint string
}

type deal struct {
	Proof proof
	Quote *struct{ Batch proof }
}

type position struct {
	Opening, Closing *deal
	Others           []proof
}

func (p position) proofs() []proof {
	all := p.Others
	for _, each := range []*deal{p.Opening, p.Closing} {
		if each != nil {
			all = append(all, each.Proof)
		}
		if each != nil && each.Quote != nil {
			all = append(all, each.Quote.Batch)
		}
	}
	return all
}

// The canonical JSON of a flat record (RFC 8785): Go writes names in their order, too.
func canonical(record map[string]any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(record)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// The entry of a record: SHA-256(salt, record).
func (p proof) entry() ([]byte, error) {
	salt, err := base64.StdEncoding.Strict().DecodeString(p.Salt)
	if err != nil {
		return nil, err
	}
	text, err := canonical(p.Record)
	entry := sha256.Sum256(append(salt, text...))
	return entry[:], err
}

// A number of a record, which is text where it is money or a price.
func number(record map[string]any, name string) (*big.Rat, error) {
	value, ok := new(big.Rat).SetString(fmt.Sprint(record[name]))
	if !ok {
		return nil, fmt.Errorf("%s is no number", name)
	}
	return value, nil
}

// Works out what a night moved, exactly, half away from zero to the cent.
func checkNight(record map[string]any) error {
	read := map[string]*big.Rat{}
	for _, name := range []string{"held", "rate", "nights", "openPrice", "point", "due", "booked"} {
		value, err := number(record, name)
		if err != nil {
			return err
		}
		read[name] = value
	}
	parts := map[string]*big.Rat{
		"percent": big.NewRat(36_000, 1),
		"fee":     big.NewRat(100_000, 1),
		"points":  new(big.Rat).Quo(read["openPrice"], read["point"]),
	}
	part := parts[fmt.Sprint(record["unit"])]
	if part == nil {
		return fmt.Errorf("%v is no unit", record["unit"])
	}
	cents := new(big.Rat).Mul(read["held"], big.NewRat(100, 1))
	cents.Mul(cents, read["rate"]).Mul(cents, read["nights"]).Quo(cents, part)
	// FloatString rounds half away from zero.
	due, _ := new(big.Rat).SetString(cents.FloatString(0))
	due.Quo(due, big.NewRat(100, 1))
	if due.Cmp(read["due"]) != 0 {
		return fmt.Errorf("%v was due, not %v", due.FloatString(2), record["due"])
	}
	rest := new(big.Rat).Sub(due, read["booked"])
	if rest.Sign()*due.Sign() < 0 || read["booked"].Sign()*due.Sign() < 0 {
		return errors.New("what was booked is more than was due, or the other way")
	}
	return nil
}

// Whole cents, rounded up.
func up(cents *big.Rat) *big.Int {
	whole, rest := new(big.Int).QuoRem(cents.Num(), cents.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return whole
}

// Works out a deal's margin from its amount and its leverage, up to the next cent.
func checkMargin(record map[string]any) error {
	read := map[string]*big.Rat{}
	for _, name := range []string{"amount", "leverage", "margin"} {
		value, err := number(record, name)
		if err != nil {
			return err
		}
		read[name] = value
	}
	hundred := big.NewRat(100, 1)
	cents := new(big.Rat).Mul(read["amount"], hundred)
	should := new(big.Rat).SetInt(up(cents.Quo(cents, read["leverage"])))
	if should.Cmp(new(big.Rat).Mul(read["margin"], hundred)) != 0 {
		return fmt.Errorf("the margin is %v, not %v", should.Quo(should, hundred).FloatString(2), record["margin"])
	}
	return nil
}

// The record of the terms that a deal names, among those beside it.
func named(others []proof, kind string, of string, name any, version any) map[string]any {
	for _, each := range others {
		if each.Record["kind"] == kind && each.Record[of] == name && fmt.Sprint(each.Record["version"]) == fmt.Sprint(version) {
			return each.Record
		}
	}
	return nil
}

type step struct{ Above, Percent string }

// The steps of an instrument's terms, from zero on.
func stepsOf(instrument map[string]any) ([]step, error) {
	steps := []step{{"0", "0"}}
	if instrument == nil {
		return steps, nil
	}
	if percent, ok := instrument["marginPercent"].(string); ok {
		steps[0].Percent = percent
	}
	said, ok := instrument["marginSteps"].(string)
	if !ok {
		return steps, nil
	}
	var more []step
	err := json.Unmarshal([]byte(said), &more)
	return append(steps, more...), err
}

func smaller(one *big.Rat, other *big.Rat) *big.Rat {
	if other.Cmp(one) < 0 {
		return other
	}
	return one
}

// Whether the most leverage where an opening's owner lived, since version 5, is what the version of the countries' rules that it names has for the class of
// the instrument in its terms. An order that waited was placed by it.
func checkBound(fill map[string]any, others []proof) error {
	rules := named(others, "countries", "kind", "countries", fill["countryVersion"])
	terms := named(others, "terms", "kind", "terms", fill["terms"])
	if rules == nil || terms == nil {
		return errors.New("the file lacks the record of its terms")
	}
	var said, instruments map[string]map[string]any
	if err := json.Unmarshal([]byte(fmt.Sprint(rules["rules"])), &said); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(fmt.Sprint(terms["instruments"])), &instruments); err != nil {
		return err
	}
	name := map[any]string{"major": "leverageMajor", "minor": "leverageMinor", "crypto": "leverageCrypto"}[instruments[fmt.Sprint(fill["symbol"])]["class"]]
	bound := said[fmt.Sprint(fill["country"])][name]
	if fill["placed"] == nil {
		if fmt.Sprint(bound) != fmt.Sprint(fill["cap"]) {
			return fmt.Errorf("the rules of %v have 1:%v, not 1:%v", fill["country"], bound, fill["cap"])
		}
		return nil
	}
	placed, err := number(fill, "placed")
	if most, ok := bound.(float64); err != nil || fill["cap"] != nil || (ok && placed.Cmp(new(big.Rat).SetFloat64(most)) > 0) {
		return fmt.Errorf("it waited at 1:%v, and the rules of %v have 1:%v", fill["placed"], fill["country"], bound)
	}
	return nil
}

// Works out an opening's leverage since version 4: the least of its account's, its country's, what it waited at, and what the instrument's terms ask for.
func checkLeverage(fill map[string]any, others []proof) error {
	group := named(others, "group", "group", fill["group"], fill["groupVersion"])
	instrument := named(others, "instrument", "symbol", fill["symbol"], fill["instrumentVersion"])
	if group == nil || (instrument == nil && fmt.Sprint(fill["instrumentVersion"]) != "0") {
		return errors.New("the file lacks the record of its terms")
	}
	read := map[string]*big.Rat{"held": new(big.Rat)}
	for _, name := range []string{"amount", "own", "leverage", "cap", "placed", "held"} {
		if value, err := number(fill, name); err == nil {
			read[name] = value
		} else if fill[name] != nil || name == "amount" || name == "own" || name == "leverage" {
			return err
		}
	}
	if most, err := number(group, "leverage"); err != nil || read["own"].Cmp(most) > 0 {
		return fmt.Errorf("its account has 1:%v, above the group's 1:%v", fill["own"], group["leverage"])
	}
	own := read["own"]
	if read["cap"] != nil {
		own = smaller(own, read["cap"])
	}
	steps, err := stepsOf(instrument)
	if err != nil || len(steps) > 1 != (fill["held"] != nil) {
		return fmt.Errorf("it says %v of what was held, and there are %d steps: %v", fill["held"], len(steps)-1, err)
	}
	// Each part asks for what the account's leverage does, or for its own step's percentage where that is more.
	least := new(big.Rat).Inv(own)
	asked, end := new(big.Rat), new(big.Rat).Add(read["held"], read["amount"])
	for n := len(steps) - 1; n >= 0; n-- {
		above, ok := new(big.Rat).SetString(steps[n].Above)
		percent, fine := new(big.Rat).SetString(steps[n].Percent)
		if !ok || !fine {
			return errors.New("a step is no number")
		}
		if above.Cmp(read["held"]) < 0 {
			above = read["held"]
		}
		if part := new(big.Rat).Sub(end, above); part.Sign() > 0 {
			percent.Quo(percent, big.NewRat(100, 1))
			if percent.Cmp(least) < 0 {
				percent = least
			}
			asked.Add(asked, percent.Mul(percent, part))
			end = above
		}
	}
	most := new(big.Rat).Quo(read["amount"], asked)
	should := new(big.Rat).SetInt(new(big.Int).Quo(most.Num(), most.Denom()))
	if read["placed"] != nil {
		should = smaller(should, read["placed"])
	}
	if should.Cmp(read["leverage"]) != 0 {
		return fmt.Errorf("the leverage is 1:%v, not 1:%v", should.FloatString(0), fill["leverage"])
	}
	return nil
}

// Checks what a record says by itself, and by the terms beside it.
func checkRecord(record map[string]any, others []proof) error {
	switch record["kind"] {
	case "swap":
		return checkNight(record)
	case "exit":
		return checkMargin(record)
	case "fill":
		if err := checkMargin(record); err != nil || fmt.Sprint(record["v"]) < "4" {
			return err
		}
		if err := checkLeverage(record, others); err != nil || fmt.Sprint(record["v"]) < "5" {
			return err
		}
		return checkBound(record, others)
	}
	return nil
}

// Checks each proof of a position's file, and that the log has its entry. Answers with how many there are of each kind.
func checkFile(path string, files tiles, size int64, keys note.Verifiers, origin string, counts map[string]int) {
	text, err := os.ReadFile(path)
	if err != nil {
		fail(path, err)
	}
	var held position
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&held); err != nil {
		fail(path, err)
	}
	for _, each := range held.proofs() {
		kind := fmt.Sprint(each.Record["kind"])
		what := fmt.Sprintf("%s: %s %d", path, kind, each.Index)
		if err := checkRecord(each.Record, held.Others); err != nil {
			fail(what, err)
		}
		entry, err := each.entry()
		if err != nil {
			fail(what, err)
		}
		served, err := files.entry(each.Index, size)
		if err != nil {
			fail(what, err)
		}
		if !bytes.Equal(entry, served) {
			fail(what, errors.New("the log has another entry"))
		}
		var inclusion tlog.RecordProof
		for _, hash := range each.Inclusion {
			parsed, err := tlog.ParseHash(hash)
			if err != nil {
				fail(what, err)
			}
			inclusion = append(inclusion, parsed)
		}
		signed, root := checkpoint(what, []byte(each.Checkpoint), keys, origin)
		if err := tlog.CheckRecord(inclusion, signed, root, each.Index, tlog.RecordHash(entry)); err != nil {
			fail(what, err)
		}
		counts[kind]++
	}
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
	held, _ := filepath.Glob(filepath.Join(folder, "files", "*"))
	counts := map[string]int{}
	for _, path := range held {
		checkFile(path, files, size, keys, verifier.Name(), counts)
	}
	// Go prints a map by its names in order.
	fmt.Printf("%d entries: %d included, consistent with %d earlier checkpoints, of files %v\n", size, len(os.Args)-2, len(kept), counts)
}
