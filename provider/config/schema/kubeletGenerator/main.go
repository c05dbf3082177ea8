// Command kubeletGenerator writes the description of kubelet's settings that provider/config checks
// `machine.kubelet.extraConfig` with: names and types of the fields of KubeletConfiguration, in the
// form of the schemas beside it. Talos converts the settings strictly into the type it was built
// with, whatever kubelet the machine runs (v1.12.1, controllers/k8s/kubelet_spec.go).
//
// Each minor of Talos has a file of its own, from the module k8s.io/kubelet in Talos' go.mod. To write
// one, in an empty folder:
//
//	go mod init generator && cp …/provider/config/schema/kubeletGenerator/main.go .
//	go get k8s.io/kubelet@v0.35.0 && go mod tidy
//	go run . v1.12.1 > …/provider/config/schema/kubelet/v1.12.json
//	npx prettier --write …/provider/config/schema/kubelet/v1.12.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"strings"

	kubelet "k8s.io/kubelet/config/v1beta1"
)

const module = "k8s.io/kubelet"

// scalars are the types that read themselves from JSON, by name.
var scalars = map[string]map[string]any{
	"v1.Duration":            {"type": "string", "format": "duration"},
	"v1.Time":                {"type": "string"},
	"resource.Quantity":      {"type": []string{"string", "number"}},
	"resource.QuantityValue": {"type": []string{"string", "number"}},
	"v1.TimeOrMetaDuration":  {"type": []string{"string", "integer"}},
	"intstr.IntOrString":     {"type": []string{"string", "integer"}},
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

type generator struct{ defs map[string]any }

func main() {
	g := &generator{defs: map[string]any{}}
	root := reflect.TypeFor[kubelet.KubeletConfiguration]()
	g.schema(root)

	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(map[string]any{
		"$id":            fmt.Sprintf("kubelet-configuration-%s", kubeletVersion()),
		"x-talosVersion": os.Args[1],
		"x-documents":    []any{map[string]any{"kind": "", "type": short(root), "named": false}},
		"$defs":          g.defs,
	}); err != nil {
		panic(err)
	}
}

func (g *generator) schema(t reflect.Type) map[string]any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}

	if scalar, ok := scalars[short(t)]; ok {
		return scalar
	}

	if reflect.PointerTo(t).Implements(unmarshaler) {
		panic("no rule for the type " + short(t))
	}

	switch t.Kind() { //nolint:exhaustive
	case reflect.Struct:
		return g.structRef(t)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": g.schema(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.schema(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}

	panic("no rule for the kind of " + short(t))
}

func (g *generator) structRef(t reflect.Type) map[string]any {
	name := short(t)

	if _, ok := g.defs[name]; !ok {
		properties := map[string]any{}
		g.defs[name] = map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
		g.fields(t, properties)
	}

	return map[string]any{"$ref": "#/$defs/" + name}
}

func (g *generator) fields(t reflect.Type, properties map[string]any) {
	for index := range t.NumField() {
		field := t.Field(index)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")

		switch {
		case name == "-" || !field.IsExported():
		case name == "" && field.Anonymous:
			g.fields(field.Type, properties)
		case name == "":
			panic("a field without a name: " + short(t) + "." + field.Name)
		default:
			properties[name] = g.schema(field.Type)
		}
	}
}

func short(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")

	return parts[len(parts)-1] + "." + t.Name()
}

func kubeletVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		panic("no build information")
	}

	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}

	panic("the module " + module + " is not a dependency")
}
