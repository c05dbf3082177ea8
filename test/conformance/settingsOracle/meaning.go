package main

import (
	"encoding/base64"
	"maps"
	"slices"

	"github.com/siderolabs/talos/pkg/machinery/config"
	talosconfig "github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/constants"
)

// meaning has what controllers make of a configuration beside its settings, by names of its own: what
// they take where nothing is said, and what has a form in documents that fields don't have.
func meaning(provider config.Provider) map[string]any {
	said := map[string]any{}

	for _, read := range []func(config.Provider) map[string]any{
		systemMeaning, networkMeaning, volumeMeaning, kubernetesMeaning, apiServerMeaning, accountMeaning,
	} {
		maps.Copy(said, read(provider))
	}

	return said
}

func systemMeaning(provider config.Provider) map[string]any {
	machine := provider.Machine()
	cluster := provider.Cluster()
	kubernetesDiscovery := cluster.Discovery().Enabled() && cluster.Discovery().Registries().Kubernetes().Enabled()

	said := map[string]any{
		"type":                machine.Type().String(),
		"machine token":       machine.Security().Token(),
		"machine CA":          authority(machine.Security().IssuingCA()),
		"accepted CAs":        certificates(machine.Security().AcceptedCAs()),
		"machine names":       machine.Security().CertSANs(),
		"environment":         machine.Env(),
		"disk quota":          machine.Features().DiskQuotaSupportEnabled(),
		"bootstrap token":     cluster.Token().ID() + "." + cluster.Token().Secret(),
		"cloud provider":      cluster.ExternalCloudProvider().Enabled(),
		"cloud manifests":     cluster.ExternalCloudProvider().ManifestURLs(),
		"kubeconfig lifetime": cluster.AdminKubeconfig().CertLifetime().String(),
		"discovery by API":    kubernetesDiscovery,
		"trim":                provider.FilesystemTrimConfig() != nil,
		"isolation":           provider.SecurityProfileConfig() != nil && provider.SecurityProfileConfig().WorkloadIsolation(),
	}

	if machine.Type().IsControlPlane() {
		said["etcd CA"] = authority(cluster.Etcd().CA())
		said["etcd flags"] = cluster.Etcd().ExtraArgs()
	}

	return said
}

func networkMeaning(provider config.Provider) map[string]any {
	said := map[string]any{
		"default DHCP":   provider.RunDefaultDHCPOperators(),
		"link documents": len(provider.NetworkCommonLinkConfigs()),
		"interfaces":     len(provider.Machine().Network().Devices()),
	}

	if hostname := provider.NetworkHostnameConfig(); hostname != nil && hostname.Hostname() == "" {
		said["automatic name"] = hostname.AutoHostname().String()
	}

	if resolver := provider.NetworkResolverConfig(); resolver != nil {
		servers := []string{}
		for _, server := range resolver.Resolvers() {
			servers = append(servers, server.Addr.String())
		}

		said["DNS servers"] = servers
		said["search domains"] = resolver.SearchDomains().ValueOrZero()
		said["no search domain"] = resolver.DisableSearchDomain()
	}

	if hostDNS := provider.NetworkHostDNSConfig(); hostDNS != nil {
		said["host DNS"] = hostDNS.HostDNSEnabled()
	}

	mirrors := map[string]any{}

	for name, mirror := range provider.RegistryMirrorConfigs() {
		endpoints := []string{}
		for _, endpoint := range mirror.Endpoints() {
			endpoints = append(endpoints, endpoint.Endpoint())
		}

		mirrors[name] = map[string]any{"endpoints": endpoints, "only": mirror.SkipFallback()}
	}

	said["mirrors"] = mirrors

	return said
}

func volumeMeaning(provider config.Provider) map[string]any {
	said := map[string]any{}

	for _, label := range []string{constants.StatePartitionLabel, constants.EphemeralPartitionLabel} {
		volume, _ := provider.Volumes().ByName(label)
		said[label+" secure"] = volume.Mount().Secure()

		encryption := volume.Encryption()
		if encryption == nil {
			encryption = provider.Machine().SystemDiskEncryption().Get(label)
		}

		if encryption != nil {
			slots := []int{}
			for _, key := range encryption.Keys() {
				slots = append(slots, key.Slot())
			}

			said[label+" encryption"] = map[string]any{"provider": encryption.Provider().String(), "slots": slots}
		}
	}

	names := []string{}
	for _, volume := range provider.UserVolumeConfigs() {
		names = append(names, volume.Name())
	}

	said["user volumes"] = names

	return said
}

func kubernetesMeaning(provider config.Provider) map[string]any {
	said := map[string]any{}

	if kubelet := provider.K8sKubeletConfig(); kubelet != nil {
		said["manifests directory"] = !kubelet.DisableManifestsDirectory()
		said["kubelet mounts"] = len(kubelet.ExtraMounts())
	}

	if network := provider.K8sNetworkConfig(); network != nil {
		said["node ranges"] = []int{network.NodeCIDRMaskSizeIPv4(), network.NodeCIDRMaskSizeIPv6()}
	}

	if provider.Machine().Type().IsControlPlane() {
		if flannel := provider.K8sFlannelCNIConfig(); flannel != nil {
			said["flannel"] = map[string]any{
				"type":  flannel.BackendType(),
				"port":  flannel.BackendPort().ValueOrZero(),
				"MTU":   flannel.BackendMTU().ValueOrZero(),
				"needs": resources(flannel.Resources()),
			}
		}

		if proxy := provider.K8sProxyConfig(); proxy != nil {
			said["kube-proxy"] = map[string]any{
				"enabled": proxy.Enabled(), "mode": proxy.Mode(), "needs": resources(proxy.Resources()),
			}
			// its form, which documents change
			said["kube-proxy by file"] = proxy.UseConfigFile()
		}

		if manager := provider.K8sControllerManagerConfig(); manager != nil {
			said["controller manager"] = resources(manager.Resources())
		}

		if scheduler := provider.K8sSchedulerConfig(); scheduler != nil {
			said["scheduler"] = resources(scheduler.Resources())
		}
	}

	return said
}

func apiServerMeaning(provider config.Provider) map[string]any {
	if !provider.Machine().Type().IsControlPlane() {
		return nil
	}

	said := map[string]any{"encryption": encryption(provider)}

	// no document of authentication is the flag --anonymous-auth=false
	anonymous := any(map[string]any{"enabled": false})
	if authentication := provider.K8sAuthenticationConfig(); authentication != nil {
		anonymous = authentication.Configuration()["anonymous"]
	}

	said["anonymous"] = anonymous

	if server := provider.K8sAPIServerConfig(); server != nil {
		said["probes"] = server.StartupProbesEnabled()
		said["needs"] = resources(server.Resources())
		// its form, which documents change
		said["authentication by file"] = server.UseAuthenticationConfig()

		// as ControlPlaneAuthorizationController adds them
		types := []string{}
		for _, authorizer := range provider.K8sAuthorizerConfigs() {
			types = append(types, authorizer.Type())
		}

		if server.InjectDefaultAuthorizers() {
			for index, wanted := range []string{"Node", "RBAC"} {
				if !slices.Contains(types, wanted) {
					types = slices.Insert(types, index, wanted)
				}
			}
		}

		said["authorizers"] = types
	}

	headers := map[string]any{}
	for _, manifest := range provider.K8sExternalManifestConfigs() {
		headers[manifest.URL()] = len(manifest.Headers())
	}

	said["manifest headers"] = headers

	return said
}

// encryption has the providers of the encryption configuration, with their keys. Without a document,
// RenderSecretsStaticPodController makes it of the keys (k8stemplates.APIServerEncryptionConfig).
func encryption(provider config.Provider) any {
	if document := provider.K8sEtcdEncryptionConfig(); document != nil {
		resources, _ := document.EtcdEncryptionConfig()["resources"].([]any)
		if len(resources) != 1 {
			return resources
		}

		resource, _ := resources[0].(map[string]any)

		return resource["providers"]
	}

	providers := []any{}
	key := func(name, secret string) map[string]any {
		return map[string]any{"keys": []any{map[string]any{"name": name, "secret": secret}}}
	}

	if secret := provider.Cluster().SecretboxEncryptionSecret(); secret != "" {
		providers = append(providers, map[string]any{"secretbox": key("key2", secret)})
	}

	if secret := provider.Cluster().AESCBCEncryptionSecret(); secret != "" {
		providers = append(providers, map[string]any{"aescbc": key("key1", secret)})
	}

	return append(providers, map[string]any{"identity": map[string]any{}})
}

func accountMeaning(provider config.Provider) map[string]any {
	account := provider.K8sServiceAccountConfig()
	if account == nil {
		return nil
	}

	accepted := []string{}
	for _, key := range account.AcceptedKeys() {
		accepted = append(accepted, base64.StdEncoding.EncodeToString(key.Key))
	}

	return map[string]any{
		"issuer":           account.IssuerURL(),
		"accepted issuers": account.AcceptedIssuers(),
		"audiences":        account.APIAudiences(),
		"accepted keys":    accepted,
	}
}

func resources(asked talosconfig.Resources) []string {
	return []string{
		asked.CPURequests(), asked.MemoryRequests(), asked.CPULimits(), asked.MemoryLimits(),
	}
}
