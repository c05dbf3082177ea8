// Command apiDescriptor prints a description of the API of the Talos release that it is built with: its
// services with their methods, and the messages and enums of the files that these need. `adopt` builds
// it once for a release, and `generateProto.mjs` writes the API of the package from what it prints.
package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "github.com/cosi-project/runtime/api/v1alpha1"
	_ "github.com/siderolabs/talos/pkg/machinery/api/cluster"
	_ "github.com/siderolabs/talos/pkg/machinery/api/inspect"
	_ "github.com/siderolabs/talos/pkg/machinery/api/machine"
	_ "github.com/siderolabs/talos/pkg/machinery/api/security"
	_ "github.com/siderolabs/talos/pkg/machinery/api/storage"
	_ "github.com/siderolabs/talos/pkg/machinery/api/time"
)

const machinery = "github.com/siderolabs/talos/pkg/machinery"

// described is what is printed. Go writes the keys of maps in order, so that it is always the same.
type described struct {
	Talos    string             `json:"talos"`
	Services map[string]service `json:"services"`
	Messages map[string]message `json:"messages"`
	Enums    map[string]enum    `json:"enums"`
}

type service struct {
	File    string            `json:"file"`
	Methods map[string]method `json:"methods"`
}

type method struct {
	Input           string `json:"input"`
	Output          string `json:"output"`
	ClientStreaming bool   `json:"clientStreaming,omitempty"`
	ServerStreaming bool   `json:"serverStreaming,omitempty"`
}

type message struct {
	File   string  `json:"file"`
	Fields []field `json:"fields"`
}

type enum struct {
	File   string           `json:"file"`
	Values map[string]int32 `json:"values"`
}

type field struct {
	Name        string    `json:"name"`
	Number      int32     `json:"number"`
	Type        string    `json:"type"`
	MessageType string    `json:"messageType,omitempty"`
	EnumType    string    `json:"enumType,omitempty"`
	Map         *mapTypes `json:"map,omitempty"`
	Repeated    bool      `json:"repeated,omitempty"`
	Optional    bool      `json:"optional,omitempty"`
	Oneof       string    `json:"oneof,omitempty"`
}

type mapTypes struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func main() {
	out := described{
		Talos:    release(),
		Services: map[string]service{},
		Messages: map[string]message{},
		Enums:    map[string]enum{},
	}
	seen := map[string]bool{}

	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		// gRPC has a service of its own, which no machine serves.
		if file.Services().Len() > 0 && !strings.HasPrefix(file.Path(), "grpc/") {
			out.file(file, seen)
		}

		return true
	})

	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}

// file adds a file, and those that it imports.
func (out *described) file(file protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[file.Path()] {
		return
	}

	seen[file.Path()] = true

	for i := range file.Imports().Len() {
		out.file(file.Imports().Get(i).FileDescriptor, seen)
	}

	for i := range file.Services().Len() {
		described := file.Services().Get(i)
		methods := map[string]method{}

		for j := range described.Methods().Len() {
			each := described.Methods().Get(j)
			methods[string(each.Name())] = method{
				Input:           string(each.Input().FullName()),
				Output:          string(each.Output().FullName()),
				ClientStreaming: each.IsStreamingClient(),
				ServerStreaming: each.IsStreamingServer(),
			}
		}

		out.Services[string(described.FullName())] = service{File: file.Path(), Methods: methods}
	}

	out.types(file.Messages(), file.Enums())
}

func (out *described) types(messages protoreflect.MessageDescriptors, enums protoreflect.EnumDescriptors) {
	for i := range enums.Len() {
		described := enums.Get(i)
		values := map[string]int32{}

		for j := range described.Values().Len() {
			value := described.Values().Get(j)
			values[string(value.Name())] = int32(value.Number())
		}

		out.Enums[string(described.FullName())] = enum{File: described.ParentFile().Path(), Values: values}
	}

	for i := range messages.Len() {
		described := messages.Get(i)
		if described.IsMapEntry() {
			continue
		}

		fields := []field{}
		for j := range described.Fields().Len() {
			fields = append(fields, fieldOf(described.Fields().Get(j)))
		}

		slices.SortFunc(fields, func(a, b field) int { return int(a.Number - b.Number) })

		out.Messages[string(described.FullName())] = message{File: described.ParentFile().Path(), Fields: fields}
		out.types(described.Messages(), described.Enums())
	}
}

func fieldOf(described protoreflect.FieldDescriptor) field {
	out := field{
		Name:     string(described.Name()),
		Number:   int32(described.Number()),
		Type:     described.Kind().String(),
		Repeated: described.IsList(),
	}

	oneof := described.ContainingOneof()
	out.Optional = oneof != nil && oneof.IsSynthetic()

	if oneof != nil && !oneof.IsSynthetic() {
		out.Oneof = string(oneof.Name())
	}

	switch {
	case described.IsMap():
		out.Map = &mapTypes{Key: typeName(described.MapKey()), Value: typeName(described.MapValue())}
	case described.Message() != nil:
		out.MessageType = string(described.Message().FullName())
	case described.Enum() != nil:
		out.EnumType = string(described.Enum().FullName())
	}

	return out
}

// typeName is a type as proto files write it.
func typeName(described protoreflect.FieldDescriptor) string {
	switch {
	case described.Message() != nil:
		return "." + string(described.Message().FullName())
	case described.Enum() != nil:
		return "." + string(described.Enum().FullName())
	}

	return described.Kind().String()
}

// release is that of the module it is built with.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		panic("no build information")
	}

	for _, dep := range info.Deps {
		if strings.HasPrefix(dep.Path, machinery) {
			return dep.Version
		}
	}

	panic("the machinery module is not a dependency")
}
