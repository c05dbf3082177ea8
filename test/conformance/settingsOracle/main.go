// The settings oracle answers what Talos reads in a machine configuration: one JSON request a line in,
// one JSON answer a line out, in order. It asks the interfaces that the controllers of Talos ask, so
// it doesn't matter in which form a configuration is written.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
)

type request struct {
	// Config is the text of a machine configuration.
	Config string `json:"config"`
	// Meaning asks for what controllers make of it too. Its keys have to be right.
	Meaning bool `json:"meaning"`
}

// answer to a request: the settings by their place in the machine configuration proper, or why Talos
// can't read the configuration.
type answer struct {
	Result  map[string]any `json:"result,omitempty"`
	Refused string         `json:"refused,omitempty"`
	// Meaning has what else controllers ask, where documents and fields have other names for it.
	Meaning map[string]any `json:"meaning,omitempty"`
	// Invalid says why a machine in a cloud refuses the configuration.
	Invalid string `json:"invalid,omitempty"`
}

// cloud is the mode of a machine that boots an image.
type cloud struct{}

func (cloud) String() string { return "cloud" }

func (cloud) RequiresInstall() bool { return false }

func (cloud) InContainer() bool { return false }

func respond(line []byte) (out answer) {
	var asked request

	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Refused: "not a request: " + err.Error()}
	}

	defer func() {
		if reason := recover(); reason != nil {
			out = answer{Refused: fmt.Sprint(reason)}
		}
	}()

	provider, err := configloader.NewFromBytes([]byte(asked.Config))
	if err != nil {
		return answer{Refused: err.Error()}
	}

	out = answer{Result: settings(provider)}
	if !asked.Meaning {
		return out
	}

	out.Meaning = meaning(provider)

	if _, err := provider.Validate(cloud{}, validation.WithLocal()); err != nil {
		out.Invalid = err.Error()
	}

	return out
}

func main() {
	const maxRequestBytes = 64 << 20

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 64<<10), maxRequestBytes)

	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)

	for lines.Scan() {
		if err := answers.Encode(respond(lines.Bytes())); err != nil {
			// whoever asked is gone
			return
		}
	}

	if err := lines.Err(); err != nil {
		panic(err)
	}
}
