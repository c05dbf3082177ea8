package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// published is the JSON schema the module carries.
type published struct {
	Defs map[string]struct {
		Properties map[string]map[string]any `json:"properties"`
		Required   []string                  `json:"required"`
	} `json:"$defs"`
}

// optional corrects fields the published schema requires and Talos does not.
var optional = map[string][]string{
	"network.BridgeConfigV1Alpha1":      {"links"},
	"network.RoutingRuleConfigV1Alpha1": {"table"},
	"network.VRFConfigV1Alpha1":         {"links"},
}

// formerWords are the words of fields that the published schema left out when it deprecated them: with
// v1.14, of fields whose types are plain texts.
var formerWords = map[string]map[string][]any{
	"v1alpha1.CNIConfig":           {"name": {"flannel", "custom", "none"}},
	"v1alpha1.InstallDiskSelector": {"type": {"ssd", "hdd", "nvme", "sd"}},
	"v1alpha1.MachineFile":         {"op": {"create", "append", "overwrite"}},
}

func readPublished(moduleFolder string) published {
	contents, err := os.ReadFile(filepath.Join(moduleFolder, "config/schemas/config.schema.json"))
	if err != nil {
		panic(err)
	}

	var out published
	if err := json.Unmarshal(contents, &out); err != nil {
		panic(err)
	}

	return out
}

// properties of a type, nil when the schema leaves the type out.
func (p published) properties(name string) map[string]map[string]any {
	return p.Defs[name].Properties
}

// property of a type, with the words it has or had; nil when the schema leaves it out and never listed
// its words.
func (p published) property(owner, name string) map[string]any {
	if public, ok := p.properties(owner)[name]; ok {
		return public
	}

	if words, ok := formerWords[owner][name]; ok {
		return map[string]any{"enum": words}
	}

	return nil
}

func (p published) required(name string) []string {
	return slices.DeleteFunc(slices.Clone(p.Defs[name].Required), func(field string) bool {
		return slices.Contains(optional[name], field)
	})
}

// items is the part of a published property that describes what is in a list.
func items(public map[string]any) map[string]any {
	if out, ok := public["items"].(map[string]any); ok {
		return out
	}

	return nil
}
