package main

import (
	"errors"
	"reflect"

	"github.com/siderolabs/gen/optional"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
)

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

	Persist         *bool             `json:"persist"`
	Discovery       *bool             `json:"discovery"`
	KubeSpan        *bool             `json:"kubeSpan"`
	Sysctls         map[string]string `json:"sysctls"`
	RegistryMirrors []mirror          `json:"registryMirrors"`
	CNI             *cni              `json:"cni"`
	// AllowScheduling lets ordinary workloads run on control plane machines.
	AllowScheduling bool     `json:"allowScheduling"`
	KubePrismPort   *int     `json:"kubePrismPort"`
	ForwardKubeDNS  *bool    `json:"forwardKubeDns"`
	APIServerPort   int      `json:"apiServerPort"`
	KernelArgs      []string `json:"kernelArgs"`
	Debug           bool     `json:"debug"`

	// Patches are applied to what was generated, as `talosctl gen config --config-patch` does.
	Patches []string `json:"patches"`
}

type mirror struct {
	Host      string   `json:"host"`
	Endpoints []string `json:"endpoints"`
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

	input, err := generate.NewInput(request.ClusterName, request.Endpoint, request.KubernetesVersion, options...)
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
		generate.WithLocalAPIServerPort(request.APIServerPort),
		generate.WithInstallExtraKernelArgs(request.KernelArgs),
		generate.WithDebug(request.Debug),
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

	if request.KubeSpan != nil {
		options = append(options, kubeSpan(*request.KubeSpan))
	}

	if request.Sysctls != nil {
		options = append(options, generate.WithSysctls(request.Sysctls))
	}

	for _, mirror := range request.RegistryMirrors {
		options = append(options, generate.WithRegistryMirror(mirror.Host, mirror.Endpoints...))
	}

	if request.CNI != nil {
		options = append(options, generate.WithClusterCNIConfig(&v1alpha1.CNIConfig{
			CNIName: request.CNI.Name,
			CNIUrls: request.CNI.URLs,
		}))
	}

	if request.KubePrismPort != nil {
		options = append(options, generate.WithKubePrismPort(*request.KubePrismPort))
	}

	if request.ForwardKubeDNS != nil {
		options = append(options, generate.WithHostDNSForwardKubeDNSToHost(*request.ForwardKubeDNS))
	}

	return options, nil
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

// kubeSpan uses the option that came with v1.13; before, talosctl had a network option that can
// only turn it on.
func kubeSpan(enabled bool) generate.Option {
	return func(options *generate.Options) error {
		field := reflect.ValueOf(options).Elem().FieldByName("KubeSpanEnabled")
		if field.IsValid() {
			field.Set(reflect.ValueOf(optional.Some(enabled)))
		} else if enabled {
			options.NetworkConfigOptions = append(options.NetworkConfigOptions, v1alpha1.WithKubeSpan())
		}

		return nil
	}
}
