package main

import (
	"encoding"
	"math"
	"reflect"
	"slices"
	"strings"
)

// scalars names the value format of the types that encode themselves.
var scalars = map[string]string{
	"v1alpha1.Endpoint":               "url",
	"meta.URL":                        "url",
	"meta.Prefix":                     "cidr",
	"meta.Addr":                       "ip",
	"meta.AddrPort":                   "ipPort",
	"v1alpha1.Base64Bytes":            "base64",
	"v1alpha1.FileMode":               "fileMode",
	"runtime.EtcFileMode":             "fileMode",
	"v1alpha1.DiskSize":               "diskSize",
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
	case "diskSize":
		return newObject("type", []string{"string", "integer"}, "format", format)
	default:
		return newObject("type", "string", "format", format)
	}
}

// vocabularies names the format of the words of types that have too many to list.
var vocabularies = map[string]string{"nethelpers.RoutingTable": "routingTable"}

// enumSchema describes a type that encodes itself as a word; its zero word is what Talos leaves out.
func enumSchema(t reflect.Type, public map[string]any) *object {
	out := newObject("type", "string")

	zero, _ := word(reflect.New(t).Elem())

	if format, ok := vocabularies[short(t)]; ok {
		out.set("format", format)
	} else {
		enum, ok := public["enum"].([]any)
		if !ok {
			enum = words(t)
		}

		if zero != "" && !slices.Contains(enum, any(zero)) {
			enum = append(slices.Clone(enum), zero)
		}

		out.set("enum", enum)
	}

	if zero != "" {
		out.set("x-zero", zero)
	}

	return out
}

// words finds those of a type by trying its values: the published schema lists those of most types,
// but not of all.
func words(t reflect.Type) []any {
	var out []any

	for number := range math.MaxUint8 + 1 {
		value := reflect.New(t).Elem()
		if value.CanInt() {
			value.SetInt(int64(number))
		} else {
			value.SetUint(uint64(number))
		}

		if text, ok := word(value); ok {
			out = append(out, text)
		}
	}

	return out
}

// word is how a value encodes itself, if it has a name: others encode as "Type(0)", which Talos does
// not read back.
func word(value reflect.Value) (string, bool) {
	text, err := value.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		panic(err)
	}

	if strings.Contains(string(text), "(") {
		return "", false
	}

	return string(text), true
}
