// Command componentFlags prints what one component of a Kubernetes release accepts: its flags with
// the types of their values, and its feature gates. `recordComponents` builds it once for each
// component, with the name as a build tag, so that nothing of another component is linked.
package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/cli/flag"
	"k8s.io/component-base/cli/globalflag"
	logs "k8s.io/component-base/logs/api/v1"
	// Registers the flags for logs in JSON, as the components' main functions do.
	_ "k8s.io/component-base/logs/json/register"
	"k8s.io/component-base/version/verflag"
)

type gate struct {
	Default bool   `json:"default"`
	Locked  bool   `json:"locked"`
	Stage   string `json:"stage"`
}

// Every component's command does so too.
func init() {
	runtime.Must(logs.AddFeatureGates(feature.DefaultMutableFeatureGate))
}

func main() {
	types := map[string]string{}

	for _, set := range flagSets() {
		set.VisitAll(func(f *pflag.Flag) {
			name := string(flag.WordSepNormalizeFunc(set, f.Name))
			types[name] = f.Value.Type()
		})
	}

	gates := map[string]gate{}

	for name, spec := range feature.DefaultMutableFeatureGate.GetAll() {
		gates[string(name)] = gate{spec.Default, spec.LockToDefault, string(spec.PreRelease)}
	}

	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"flags": types, "featureGates": gates}); err != nil {
		panic(err)
	}
}

// withGlobals adds what a component's command adds to the flags of its options.
func withGlobals(named flag.NamedFlagSets, name string) []*pflag.FlagSet {
	global := named.FlagSet("global")
	verflag.AddFlags(global)
	globalflag.AddGlobalFlags(global, name)

	sets := []*pflag.FlagSet{}
	for _, set := range named.FlagSets {
		sets = append(sets, set)
	}

	return sets
}
