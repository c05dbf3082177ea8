// Command generator writes the description of every Talos configuration document that
// provider/config works from: field names in the order Talos encodes them, types, enums, and how
// each field merges and is left out when empty. It reads all of that from the types of
// github.com/siderolabs/talos/pkg/machinery by reflection and from the JSON schema that module
// carries (which lists enums and required fields, but no deprecated field); the kinds it takes from
// the calls in its source that register them.
//
// It describes the release of that module it is built with, v1.10 or newer: `npm run adopt` builds it. Each
// minor has a file of its own, made from its last release when the next one was there (v1.10.6, v1.11.6),
// or from the one that a test compares with (v1.12.1, v1.13.9, v1.14.1).
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
)

const module = "github.com/siderolabs/talos/pkg/machinery"

func main() {
	moduleFolder := os.Args[1]
	g := &generator{
		published: readPublished(moduleFolder),
		kinds:     map[string]string{},
		defs:      newObject(),
	}

	documents := []*object{}
	for _, kind := range registeredKinds(moduleFolder) {
		documents = append(documents, g.document(kind))
	}

	version := machineryVersion()
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(newObject(
		"$schema", "https://json-schema.org/draft/2020-12/schema",
		"$id", fmt.Sprintf("talos-machine-configuration-%s", version),
		"x-talosVersion", version,
		"x-documents", documents,
		"$defs", g.defs,
	)); err != nil {
		panic(err)
	}
}

func machineryVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		panic("no build information")
	}

	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}

	panic("the machinery module is not a dependency")
}
