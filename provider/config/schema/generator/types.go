package main

import (
	"encoding"
	"reflect"
	"strings"
)

type generator struct {
	published published
	// kinds of the documents that types are, by type.
	kinds map[string]string
	defs  *object
}

// listMerge is how a patch's item finds the one it goes into.
type listMerge struct {
	// keys identify an item, in the order Talos tries them.
	keys []string
	// replaces says that the patch's item takes the place of its namesake.
	replaces bool
}

// listMerges has each list type with a merge of its own. A new such type in a release stops the
// generator.
var listMerges = map[string]listMerge{
	"v1alpha1.NetworkDeviceList":         {keys: []string{"interface", "deviceSelector"}},
	"v1alpha1.VlanList":                  {keys: []string{"vlanId"}},
	"v1alpha1.AdmissionPluginConfigList": {keys: []string{"name"}},
	"extensions.ConfigFileList":          {keys: []string{"mountPath"}},
	"security.ImageVerificationRules":    {keys: []string{"image"}, replaces: true},
}

var (
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	yamlMarshaler = reflect.TypeFor[interface{ MarshalYAML() (any, error) }]()
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
	case "v1alpha1.Unstructured", "meta.Unstructured":
		return newObject("type", "object")
	case "v1alpha1.Args", "meta.Args":
		return newObject("type", "object", "additionalProperties", argument())
	}

	if format, ok := scalars[name]; ok {
		return scalarSchema(format)
	}

	if t.Name() != "" && implements(t, textMarshaler) {
		return enumSchema(t, public)
	}

	_, customList := listMerges[name]

	if t.Name() != "" && (implements(t, merger) && !customList || implements(t, yamlMarshaler)) {
		panic("no rule for the type " + name)
	}

	return g.kindSchema(t, public)
}

// kindSchema describes a type that encodes as its kind does.
func (g *generator) kindSchema(t reflect.Type, public map[string]any) *object {
	switch t.Kind() { //nolint:exhaustive
	case reflect.Struct:
		return g.structRef(t)
	case reflect.Slice:
		return g.list(t, public)
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

	panic("no rule for the kind of " + short(t))
}

func (g *generator) list(t reflect.Type, public map[string]any) *object {
	item := g.element(t.Elem(), items(public))
	out := newObject("type", "array", "items", item)

	if merge, ok := listMerges[short(t)]; ok {
		out.set("x-mergeBy", merge.keys)

		if merge.replaces {
			item.set("x-mergeReplace", true)
		}
	}

	return out
}

func (g *generator) element(t reflect.Type, public map[string]any) *object {
	out := g.typeSchema(t, public)
	if t.Kind() == reflect.Pointer {
		out.set("x-pointer", true)
	}

	return out
}

// argument describes a command-line argument: its value, or several for one that is repeated.
func argument() *object {
	return newObject(
		"type", []string{"string", "array"}, "items", newObject("type", "string"), "x-mergeReplace", true,
	)
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
