// Command configFileTypes prints the types of the configuration files that components of one Kubernetes
// release read: each kind that their decoders have registered, with the fields of its type and of all
// types within. `recordConfigFiles` builds it once for each release.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	resourcequota "k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/install"
	webhook "k8s.io/apiserver/pkg/admission/plugin/webhook/config/apis/webhookadmission/install"
	apiserver "k8s.io/apiserver/pkg/apis/apiserver/install"
	audit "k8s.io/apiserver/pkg/apis/audit/v1"
	scheduler "k8s.io/kube-scheduler/config/v1"
	eventratelimit "k8s.io/kubernetes/plugin/pkg/admission/eventratelimit/apis/eventratelimit/install"
	podtoleration "k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction/apis/podtolerationrestriction/install"
	podsecurity "k8s.io/pod-security-admission/admission/api/scheme"
)

// installers register the kinds of files, as the components do.
var installers = []func(*runtime.Scheme){
	func(s *runtime.Scheme) { utilruntime.Must(scheduler.AddToScheme(s)) },
	func(s *runtime.Scheme) { utilruntime.Must(audit.AddToScheme(s)) },
	apiserver.Install,
	podsecurity.AddToScheme,
	eventratelimit.Install,
	podtoleration.Install,
	resourcequota.Install,
	webhook.Install,
}

// others are registered kinds that aren't judged by these types, as the end of "version kind".
var others = []string{
	"Options", "List", "Event", " AdmissionConfiguration", "EgressSelectorConfiguration",
	"EncryptionConfiguration", "TracingConfiguration",
}

// scalars are the types that read themselves from JSON, by name.
var scalars = map[string]string{
	"meta/v1.Duration":     "duration",
	"meta/v1.FieldsV1":     "any",
	"meta/v1.Time":         "time",
	"runtime.RawExtension": "any",
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

type generator map[string]map[string]string

func main() {
	types := generator{}
	kinds := map[string]string{}

	for _, install := range installers {
		scheme := runtime.NewScheme()
		install(scheme)

		for kind, t := range scheme.AllKnownTypes() {
			if isFile(kind) {
				kinds[kind.GroupVersion().String()+" "+kind.Kind] = types.expression(t)
			}
		}
	}

	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"kinds": kinds, "types": types}); err != nil {
		panic(err)
	}
}

func isFile(kind schema.GroupVersionKind) bool {
	if kind.Group == "" || kind.Version == runtime.APIVersionInternal {
		return false
	}

	for _, other := range others {
		if strings.HasSuffix(kind.Version+" "+kind.Kind, other) {
			return false
		}
	}

	return true
}

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
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
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
