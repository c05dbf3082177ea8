//go:build !kubelet

// Command goTypes prints the types of the configuration files that components of one Kubernetes
// release read: each kind that their decoders have registered, with the fields of its type and of all
// types within. `recordConfigFiles` builds it once for each release. With the tag `kubelet` it prints
// the types of kubelet's settings, and needs no other module than k8s.io/kubelet.
package main

import (
	"encoding/json"
	"os"
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
