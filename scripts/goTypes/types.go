package main

import (
	"encoding/json"
	"reflect"
	"strings"
)

// scalars are the types that read themselves from JSON, by name.
var scalars = map[string]string{
	"api/v1.TimeOrMetaDuration": "durationOrNumber",
	"intstr.IntOrString":        "intOrString",
	"meta/v1.Duration":          "duration",
	"meta/v1.FieldsV1":          "any",
	"meta/v1.Time":              "time",
	"resource.Quantity":         "quantity",
	"resource.QuantityValue":    "quantity",
	"runtime.RawExtension":      "any",
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// generator has the fields of each struct that was met, with their types, by its name.
type generator map[string]map[string]string

// expression is the type as JSON has it: `int32`, `[]string`, `map[]bool`, or the name of a struct.
func (g generator) expression(t reflect.Type) string {
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
		if _, ok := g[short(t)]; !ok {
			g[short(t)] = map[string]string{}
			g.fields(t, g[short(t)])
		}

		return short(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}

		return "[]" + g.expression(t.Elem())
	case reflect.Map:
		return "map[]" + g.expression(t.Elem())
	case reflect.String, reflect.Bool, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return t.Kind().String()
	}

	panic("no rule for the kind of " + short(t))
}

func (g generator) fields(t reflect.Type, fields map[string]string) {
	// Old releases are compiled as the Go of their time.
	for index := 0; index < t.NumField(); index++ {
		field := t.Field(index)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")

		switch {
		case name == "-" || !field.IsExported():
		case name == "" && field.Anonymous:
			g.fields(field.Type, fields)
		case name == "":
			panic("a field without a name: " + short(t) + "." + field.Name)
		default:
			fields[name] = g.expression(field.Type)
		}
	}
}

// short is a name like `audit/v1.Policy`: versions of a group have types of the same name.
func short(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	if len(parts) > 1 && strings.HasPrefix(parts[len(parts)-1], "v") {
		parts = parts[len(parts)-2:]
	} else {
		parts = parts[len(parts)-1:]
	}

	return strings.Join(parts, "/") + "." + t.Name()
}
