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
)

type request struct {
	// Config is the text of a machine configuration.
	Config string `json:"config"`
}

// answer to a request: the settings by their place in the machine configuration proper, or why Talos
// can't read the configuration.
type answer struct {
	Result  map[string]any `json:"result,omitempty"`
	Refused string         `json:"refused,omitempty"`
}

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

	return answer{Result: settings(provider)}
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
