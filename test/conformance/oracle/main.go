// The oracle answers what Talos' own code does with secrets, options, patches and configurations:
// one JSON request a line in, one JSON answer a line out, in order. The conformance tests build it
// once for each Talos release they compare with.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// answer to a request: what was made of it, or why it was refused. A refusal is a panic of Talos'
// code where it says so.
type answer struct {
	Result   any    `json:"result,omitempty"`
	Refused  string `json:"refused,omitempty"`
	Panicked bool   `json:"panicked,omitempty"`
}

// actions by name: what a request can ask for, in its field "do".
var actions = map[string]func(json.RawMessage) (any, error){
	"bench":     with(measure),
	"encode":    with(encode),
	"generate":  with(generateConfig),
	"handshake": with(handshake),
	"patch":     with(patchConfig),
	"secrets":   with(newSecrets),
	"validate":  with(validateConfig),
	"verify":    with(verify),
}

// with reads what an action needs from the request.
func with[Request any](action func(Request) (any, error)) func(json.RawMessage) (any, error) {
	return func(line json.RawMessage) (any, error) {
		var request Request

		if err := json.Unmarshal(line, &request); err != nil {
			panic(fmt.Errorf("a request that can't be read: %w", err))
		}

		return action(request)
	}
}

func respond(line []byte) (out answer) {
	var request struct {
		Do string `json:"do"`
	}

	if err := json.Unmarshal(line, &request); err != nil {
		return answer{Refused: "not a request: " + err.Error(), Panicked: true}
	}

	action, ok := actions[request.Do]
	if !ok {
		return answer{Refused: "no such action: " + request.Do, Panicked: true}
	}

	defer func() {
		if reason := recover(); reason != nil {
			out = answer{Refused: fmt.Sprint(reason), Panicked: true}
		}
	}()

	result, err := action(line)
	if err != nil {
		return answer{Refused: err.Error()}
	}

	return answer{Result: result}
}

func main() {
	const maxRequestBytes = 64 << 20

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 64<<10), maxRequestBytes)

	out := bufio.NewWriter(os.Stdout)
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)

	for lines.Scan() {
		if err := answers.Encode(respond(lines.Bytes())); err != nil {
			panic(err)
		}

		if err := out.Flush(); err != nil {
			// whoever asked is gone
			return
		}
	}

	if err := lines.Err(); err != nil {
		panic(err)
	}
}
