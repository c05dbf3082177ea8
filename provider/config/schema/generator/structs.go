package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

// needed are the fields without which Talos refuses to read a document of a kind.
var needed = map[string]string{
	// since v1.14; a pair of links is refused if both have the same name, also none
	"VethConfig": "name: one\npeer:\n  name: other\n",
}

// document describes a kind of document, by the type that Talos reads it into.
func (g *generator) document(kind string) *object {
	text := "machine: {}"
	if kind != "" {
		text = "apiVersion: v1alpha1\nkind: " + kind + "\n" + needed[kind]
	}

	provider, err := configloader.NewFromBytes([]byte(text))
	if err != nil {
		panic(err)
	}

	doc := provider.Documents()[0]
	t := reflect.TypeOf(doc).Elem()
	identity := []string{}

	if kind != "" {
		g.kinds[short(t)] = kind
		identity = append(identity, "apiVersion", "kind")
	}

	_, named := doc.(config.NamedDocument)
	if named {
		identity = append(identity, "name")
	}

	g.structRef(t)
	g.require(short(t), identity)

	out := newObject("kind", kind, "type", short(t), "named", named)

	// since v1.11
	if conflicting, ok := doc.(interface{ ConflictsWithKinds() []string }); ok {
		out.set("conflictsWith", conflicting.ConflictsWithKinds())
	}

	return out
}

func (g *generator) structRef(t reflect.Type) *object {
	name := short(t)

	if _, ok := g.defs.values[name]; !ok {
		properties := newObject()
		def := newObject("type", "object", "additionalProperties", false, "properties", properties)

		g.defs.set(name, def)
		g.fields(t, name, properties)
		g.require(name, g.published.required(name))
	}

	return newObject("$ref", "#/$defs/"+name)
}

// require adds to the fields that a type must have.
func (g *generator) require(name string, fields []string) {
	def := g.defs.values[name].(*object)
	required, _ := def.values["required"].([]string)

	required = append(required, fields...)
	slices.Sort(required)

	if len(required) > 0 {
		def.set("required", slices.Compact(required))
	}
}

// fields adds those of a struct to the properties of the type that has it, in the struct or inline.
func (g *generator) fields(t reflect.Type, owner string, properties *object) {
	public := g.published.properties(owner)

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

		property := g.typeSchema(field.Type, g.published.property(owner, tag[0]))

		if kind, ok := g.kinds[owner]; ok && tag[0] == "kind" {
			property.set("enum", []string{kind})
		} else if ok && tag[0] == "apiVersion" {
			property.set("enum", []string{"v1alpha1"})
		}

		if owner == "v1alpha1.ClusterInlineManifest" && tag[0] == "contents" {
			// the list drops blank lines before each manifest when it is read
			property.set("x-trimStart", true)
		}

		if field.Type.Kind() == reflect.Pointer || keepsEmpty(field.Type) {
			property.set("x-pointer", true)
		}

		if slices.Contains(tag[1:], "omitempty") {
			property.set("x-omitEmpty", true)
		}

		if slices.Contains(strings.Split(field.Tag.Get("merge"), ","), "replace") {
			property.set("x-mergeReplace", true)
		}

		if isIncidental(t, i) {
			property.set("x-incidental", true)
		}

		// the published schema leaves deprecated fields out
		if _, ok := public[tag[0]]; !ok && public != nil {
			property.set("deprecated", true)
		}

		properties.set(tag[0], property)
	}
}

// keepsEmpty tells whether a list that is empty differs from one that is absent: one of a type that says
// itself when it is zero.
func keepsEmpty(t reflect.Type) bool {
	if t.Kind() != reflect.Slice {
		return false
	}

	zeroer, ok := reflect.MakeSlice(t, 0, 0).Interface().(interface{ IsZero() bool })

	return ok && !zeroer.IsZero()
}

// isIncidental tells whether a struct that has nothing but this field counts as not set. Only structs
// that say themselves when they are zero have such fields.
func isIncidental(t reflect.Type, index int) bool {
	value := reflect.New(t)

	zeroer, ok := value.Interface().(interface{ IsZero() bool })
	if !ok {
		return false
	}

	field := value.Elem().Field(index)

	switch field.Kind() { //nolint:exhaustive
	case reflect.String:
		field.SetString("set")
	case reflect.Uint, reflect.Uint64:
		field.SetUint(1)
	case reflect.Int:
		field.SetInt(1)
	case reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), 1, 1))
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
	default:
		// a struct says itself when it is zero, which those that hold it ask
		return false
	}

	return zeroer.IsZero()
}
