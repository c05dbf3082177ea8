// Command generator writes the description of every Talos configuration document that
// provider/config works from: field names in the order Talos encodes them, types, enums, and how
// each field merges and is left out when empty. It reads all of that from the types of
// github.com/siderolabs/talos/pkg/machinery by reflection and from the JSON schema that module
// carries (which lists enums and required fields, but no deprecated field).
//
// To describe another Talos release, in an empty folder:
//
//	go mod init generator && cp …/provider/config/schema/generator/main.go .
//	go get github.com/siderolabs/talos/pkg/machinery@v1.12.1
//	go run . $(go list -m -f '{{.Dir}}' github.com/siderolabs/talos/pkg/machinery) \
//	  > …/provider/config/schema/v1.12.json
//	npx prettier --write …/provider/config/schema/v1.12.json
package main

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

const module = "github.com/siderolabs/talos/pkg/machinery"

// object keeps the order in which its keys were set, which is the order Talos encodes fields in.
type object struct {
	keys   []string
	values map[string]any
}

func newObject(pairs ...any) *object {
	o := &object{values: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}

	return o
}

func (o *object) set(key string, value any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}

	o.values[key] = value
}

func (o *object) MarshalJSON() ([]byte, error) {
	var b strings.Builder

	b.WriteByte('{')

	for i, key := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}

		k, _ := json.Marshal(key) //nolint:errcheck

		v, err := json.Marshal(o.values[key])
		if err != nil {
			return nil, err
		}

		b.Write(k)
		b.WriteByte(':')
		b.Write(v)
	}

	b.WriteByte('}')

	return []byte(b.String()), nil
}

// published is the JSON schema the module carries.
type published struct {
	Defs map[string]struct {
		Properties map[string]map[string]any `json:"properties"`
		Required   []string                  `json:"required"`
	} `json:"$defs"`
}

// listKeys names, for each list type with a merge of its own, the fields that identify an item, in
// the order Talos tries them. A new such type in a release stops the generator.
var listKeys = map[string][]string{
	"v1alpha1.NetworkDeviceList":         {"interface", "deviceSelector"},
	"v1alpha1.VlanList":                  {"vlanId"},
	"v1alpha1.AdmissionPluginConfigList": {"name"},
	"extensions.ConfigFileList":          {"mountPath"},
}

// scalars names the value format of the types that encode themselves.
var scalars = map[string]string{
	"v1alpha1.Endpoint":               "url",
	"meta.URL":                        "url",
	"v1alpha1.Base64Bytes":            "base64",
	"v1alpha1.FileMode":               "fileMode",
	"v1alpha1.DiskSize":               "size",
	"v1alpha1.InstallDiskSizeMatcher": "sizeCondition",
	"block.ByteSize":                  "size",
	"block.PercentageSize":            "percentage",
	"block.Size":                      "sizeOrPercentage",
	"network.PortRange":               "portRange",
	"network.Prefix":                  "cidr",
	"network.Addr":                    "ip",
	"network.AddrPort":                "ipPort",
	"netip.Prefix":                    "cidr",
	"netip.Addr":                      "ip",
	"netip.AddrPort":                  "ipPort",
	"nethelpers.HardwareAddr":         "hardwareAddress",
	"cel.Expression":                  "cel",
	"time.Duration":                   "duration",
	"yamlutils.StringBytes":           "text",
}

// registeredKinds corrects kinds the published schema misnames.
var registeredKinds = map[string]string{"KubeSpanEndpoints": "KubeSpanEndpointsConfig"}

// optional corrects fields the published schema requires and Talos does not.
var optional = map[string][]string{"network.BridgeConfigV1Alpha1": {"links"}}

type generator struct {
	published published
	defs      *object
}

var (
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	yamlMarshaler = reflect.TypeFor[yaml.Marshaler]()
	merger        = reflect.TypeFor[interface{ Merge(any) error }]()
)

func short(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")

	return parts[len(parts)-1] + "." + t.Name()
}

func implements(t, iface reflect.Type) bool {
	return t.Implements(iface) || reflect.PointerTo(t).Implements(iface)
}

// typeSchema describes a type; pointers are the caller's to annotate.
func (g *generator) typeSchema(t reflect.Type, public map[string]any) *object {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}

	name := short(t)

	switch name {
	case "x509.PEMEncodedCertificateAndKey":
		return g.pem(name, "crt", "key")
	case "x509.PEMEncodedCertificate":
		return g.pem(name, "crt")
	case "x509.PEMEncodedKey":
		return g.pem(name, "key")
	case "v1alpha1.Unstructured":
		return newObject("type", "object")
	}

	if format, ok := scalars[name]; ok {
		return scalarSchema(format)
	}

	if t.Name() != "" && implements(t, textMarshaler) {
		return enumSchema(t, public)
	}

	_, customList := listKeys[name]

	if t.Name() != "" && (implements(t, merger) && !customList || implements(t, yamlMarshaler)) {
		panic("no rule for the type " + name)
	}

	switch t.Kind() { //nolint:exhaustive
	case reflect.Struct:
		return g.structRef(t)
	case reflect.Slice:
		out := newObject("type", "array", "items", g.element(t.Elem(), items(public)))
		if keys, ok := listKeys[name]; ok {
			out.set("x-mergeBy", keys)
		}

		return out
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return newObject("type", "object")
		}

		return newObject("type", "object", "additionalProperties", g.element(t.Elem(), nil))
	case reflect.String:
		out := newObject("type", "string")
		if enum, ok := public["enum"]; ok {
			out.set("enum", enum)
		}

		return out
	case reflect.Bool:
		return newObject("type", "boolean")
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return newObject("type", "integer", "minimum", 0, "maximum", uint64(1)<<t.Bits()-1)
	case reflect.Uint, reflect.Uint64:
		return newObject("type", "integer", "minimum", 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return newObject("type", "integer")
	case reflect.Float32, reflect.Float64:
		return newObject("type", "number")
	case reflect.Interface:
		return newObject()
	}

	panic("no rule for the kind of " + name)
}

func items(public map[string]any) map[string]any {
	if out, ok := public["items"].(map[string]any); ok {
		return out
	}

	return nil
}

func (g *generator) element(t reflect.Type, public map[string]any) *object {
	out := g.typeSchema(t, public)
	if t.Kind() == reflect.Pointer {
		out.set("x-pointer", true)
	}

	return out
}

// pem describes the types that hold PEM, which encode each part as base64 and leave none out. A part
// that a patch does not name is empty, not absent, so a patch replaces them as a whole.
func (g *generator) pem(name string, fields ...string) *object {
	if _, ok := g.defs.values[name]; !ok {
		properties := newObject()
		for _, field := range fields {
			properties.set(field, newObject("type", "string", "format", "base64"))
		}

		g.defs.set(name, newObject("type", "object", "additionalProperties", false, "properties", properties))
	}

	return newObject("$ref", "#/$defs/"+name, "x-mergeReplace", true)
}

func scalarSchema(format string) *object {
	switch format {
	case "fileMode":
		return newObject("type", "integer", "minimum", 0, "maximum", 0o7777, "x-encode", "octal")
	case "text":
		return newObject("type", "string")
	case "portRange":
		return newObject(
			"type", []string{"integer", "string"}, "minimum", 0, "maximum", math.MaxUint16, "format", format,
		)
	default:
		return newObject("type", "string", "format", format)
	}
}

// enumSchema describes a type that encodes itself as a word; its zero word is what Talos leaves out.
func enumSchema(t reflect.Type, public map[string]any) *object {
	out := newObject("type", "string")

	zero, err := reflect.New(t).Elem().Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		panic(err)
	}

	// a zero value without a name of its own encodes as "Type(0)", which Talos does not read back
	if strings.Contains(string(zero), "(") {
		zero = nil
	}

	if enum, ok := public["enum"].([]any); ok {
		if len(zero) > 0 && !slices.Contains(enum, any(string(zero))) {
			enum = append(slices.Clone(enum), string(zero))
		}

		out.set("enum", enum)
	}

	if len(zero) > 0 {
		out.set("x-zero", string(zero))
	}

	return out
}

func (g *generator) structRef(t reflect.Type) *object {
	name := short(t)

	if _, ok := g.defs.values[name]; !ok {
		properties := newObject()
		def := newObject("type", "object", "additionalProperties", false, "properties", properties)

		g.defs.set(name, def)

		required := slices.DeleteFunc(g.fields(t, name, properties), func(field string) bool {
			return slices.Contains(optional[name], field)
		})
		if len(required) > 0 {
			def.set("required", required)
		}
	}

	return newObject("$ref", "#/$defs/"+name)
}

func (g *generator) publishedFor(name string) (map[string]map[string]any, []string) {
	if def, ok := g.published.Defs[name]; ok {
		return def.Properties, def.Required
	}

	return nil, nil
}

func (g *generator) fields(t reflect.Type, owner string, properties *object) []string {
	public, required := g.publishedFor(owner)

	for i := range t.NumField() {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("yaml"), ",")

		if slices.Contains(tag[1:], "inline") {
			g.fields(field.Type, owner, properties)

			continue
		}

		if tag[0] == "" || tag[0] == "-" {
			continue
		}

		property := g.typeSchema(field.Type, public[tag[0]])

		if kind, ok := public[tag[0]]["enum"].([]any); ok && tag[0] == "kind" {
			name := kind[0].(string)
			property.set("enum", []string{cmp.Or(registeredKinds[name], name)})
		}

		if owner == "v1alpha1.ClusterInlineManifest" && tag[0] == "contents" {
			// the list drops blank lines before each manifest when it is read
			property.set("x-trimStart", true)
		}

		if field.Type.Kind() == reflect.Pointer {
			property.set("x-pointer", true)
		}

		if slices.Contains(tag[1:], "omitempty") {
			property.set("x-omitEmpty", true)
		}

		if slices.Contains(strings.Split(field.Tag.Get("merge"), ","), "replace") {
			property.set("x-mergeReplace", true)
		}

		// the published schema leaves deprecated fields out
		if _, ok := public[tag[0]]; !ok && public != nil {
			property.set("deprecated", true)
		}

		properties.set(tag[0], property)
	}

	return required
}

func (g *generator) document(kind string) *object {
	text := "machine: {}"
	if kind != "" {
		text = "apiVersion: v1alpha1\nkind: " + kind
	}

	provider, err := configloader.NewFromBytes([]byte(text))
	if err != nil {
		panic(err)
	}

	doc := provider.Documents()[0]
	t := reflect.TypeOf(doc).Elem()

	g.structRef(t)

	_, named := doc.(config.NamedDocument)
	if named {
		def := g.defs.values[short(t)].(*object)
		required, _ := def.values["required"].([]string)

		if !slices.Contains(required, "name") {
			def.set("required", append(required, "name"))
		}
	}

	out := newObject("kind", kind, "type", short(t), "named", named)

	if conflicting, ok := doc.(config.ConflictingDocument); ok {
		out.set("conflictsWith", conflicting.ConflictsWithKinds())
	}

	return out
}

func (g *generator) kinds() []string {
	kinds := []string{""}

	for _, def := range g.published.Defs {
		if kind, ok := def.Properties["kind"]["enum"].([]any); ok && def.Properties["apiVersion"] != nil {
			name := kind[0].(string)
			kinds = append(kinds, cmp.Or(registeredKinds[name], name))
		}
	}

	slices.Sort(kinds)

	return kinds
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

func main() {
	g := &generator{defs: newObject()}

	contents, err := os.ReadFile(filepath.Join(os.Args[1], "config/schemas/config.schema.json"))
	if err != nil {
		panic(err)
	}

	if err := json.Unmarshal(contents, &g.published); err != nil {
		panic(err)
	}

	documents := []*object{}
	for _, kind := range g.kinds() {
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
