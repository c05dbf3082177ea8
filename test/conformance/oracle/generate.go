package main

import (
	"errors"
	"reflect"
	"strings"

	"github.com/siderolabs/gen/optional"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
)

// generateRequest has the options of generateMachineConfig.ts that talosctl has too, by the same names.
type generateRequest struct {
	ClusterName       string `json:"clusterName"`
	Endpoint          string `json:"endpoint"`
	KubernetesVersion string `json:"kubernetesVersion"`
	VersionContract   string `json:"versionContract"`
	MachineType       string `json:"machineType"`
	// Secrets is the text of a secrets bundle.
	Secrets string `json:"secrets"`

	InstallDisk       string   `json:"installDisk"`
	InstallerImage    string   `json:"installerImage"`
	CertSANs          []string `json:"certSans"`
	APIServerCertSANs []string `json:"apiServerCertSans"`
	DNSDomain         string   `json:"dnsDomain"`
	PodCIDRs          []string `json:"podCidrs"`
	ServiceCIDRs      []string `json:"serviceCidrs"`

	Persist         *bool               `json:"persist"`
	Discovery       *bool               `json:"discovery"`
	KubeSpan        bool                `json:"kubeSpan"`
	Sysctls         map[string]string   `json:"sysctls"`
	RegistryMirrors map[string][]string `json:"registryMirrors"`
	CNI             *cni                `json:"cni"`
	AllowScheduling bool                `json:"allowSchedulingOnControlPlanes"`

	// Patches are applied to what was generated, as `talosctl gen config --config-patch` does.
	Patches []string `json:"patches"`
}

type cni struct {
	Name string   `json:"name"`
	URLs []string `json:"urls"`
}

// generateConfig does what `talosctl gen config` does for one type of machine.
func generateConfig(request generateRequest) (any, error) {
	provider, err := newConfig(request)
	if err != nil {
		return nil, err
	}

	patches, err := loadPatches(request.Patches)
	if err != nil {
		return nil, err
	}

	patched, err := configpatcher.Apply(configpatcher.WithConfig(provider), patches)
	if err != nil {
		return nil, err
	}

	provider, err = patched.Config()
	if err != nil {
		return nil, err
	}

	return text(provider)
}

func newConfig(request generateRequest) (config.Provider, error) {
	machineType, err := machine.ParseType(request.MachineType)
	if err != nil {
		return nil, err
	}

	options, err := request.options()
	if err != nil {
		return nil, err
	}

	input, err := generate.NewInput(
		request.ClusterName,
		request.Endpoint,
		strings.TrimPrefix(request.KubernetesVersion, "v"),
		options...,
	)
	if err != nil {
		return nil, err
	}

	if request.APIServerCertSANs != nil {
		input.AdditionalSubjectAltNames = request.APIServerCertSANs
	}

	if request.PodCIDRs != nil {
		input.PodNet = request.PodCIDRs
	}

	if request.ServiceCIDRs != nil {
		input.ServiceNet = request.ServiceCIDRs
	}

	return input.Config(machineType)
}

func (request generateRequest) options() ([]generate.Option, error) {
	contract, err := config.ParseContractFromVersion(request.VersionContract)
	if err != nil {
		return nil, err
	}

	bundle, err := readSecrets(request.Secrets)
	if err != nil {
		return nil, err
	}

	options := []generate.Option{
		generate.WithVersionContract(contract),
		generate.WithSecretsBundle(bundle),
		generate.WithInstallDisk(request.InstallDisk),
		generate.WithInstallImage(request.InstallerImage),
		generate.WithAdditionalSubjectAltNames(request.CertSANs),
		generate.WithAllowSchedulingOnControlPlanes(request.AllowScheduling),
	}

	if request.DNSDomain != "" {
		options = append(options, generate.WithDNSDomain(request.DNSDomain))
	}

	if request.Persist != nil {
		options = append(options, persist(*request.Persist))
	}

	if request.Discovery != nil {
		options = append(options, generate.WithClusterDiscovery(*request.Discovery))
	}

	if request.KubeSpan {
		options = append(options, kubeSpan())
	}

	if request.Sysctls != nil {
		options = append(options, generate.WithSysctls(request.Sysctls))
	}

	for host, endpoints := range request.RegistryMirrors {
		options = append(options, generate.WithRegistryMirror(host, endpoints...))
	}

	if request.CNI != nil {
		options = append(options, podNetwork(*request.CNI))
	}

	return options, nil
}

// podNetwork chooses the CNI. Since v1.14, it is the default or a custom one with a single URL.
func podNetwork(chosen cni) generate.Option {
	return func(options *generate.Options) error {
		value := reflect.ValueOf(options).Elem()

		if field := value.FieldByName("CNIConfig"); field.IsValid() {
			field.Set(reflect.ValueOf(&v1alpha1.CNIConfig{CNIName: chosen.Name, CNIUrls: chosen.URLs}))

			return nil
		}

		if chosen.Name != "custom" || len(chosen.URLs) != 1 {
			return errors.New("this release has no way to choose this CNI")
		}

		value.FieldByName("CNICustomURL").SetString(chosen.URLs[0])

		return nil
	}
}

// persist says whether the machine keeps its configuration over a reboot. Since v1.13 it always does.
func persist(enabled bool) generate.Option {
	return func(options *generate.Options) error {
		field := reflect.ValueOf(options).Elem().FieldByName("Persist")
		if field.IsValid() {
			field.SetBool(enabled)
		} else if !enabled {
			return errors.New("this release has no way to not persist")
		}

		return nil
	}
}

// kubeSpan turns KubeSpan on, with the option that came with v1.13; before, it was one of the network.
func kubeSpan() generate.Option {
	return func(options *generate.Options) error {
		field := reflect.ValueOf(options).Elem().FieldByName("KubeSpanEnabled")
		if field.IsValid() {
			field.Set(reflect.ValueOf(optional.Some(true)))
		} else {
			options.NetworkConfigOptions = append(options.NetworkConfigOptions, v1alpha1.WithKubeSpan())
		}

		return nil
	}
}
