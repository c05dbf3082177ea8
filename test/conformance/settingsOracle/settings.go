package main

import (
	"bytes"
	"encoding/base64"
	"maps"
	"net/netip"
	"slices"

	"github.com/siderolabs/crypto/x509"
	"github.com/siderolabs/talos/pkg/machinery/config"
)

// settings has what Talos reads, by the place of each setting in the machine configuration proper.
func settings(provider config.Provider) map[string]any {
	said := map[string]any{}

	for _, read := range []func(config.Provider) map[string]any{
		machineSettings, featureSettings, kubeletSettings, nodeSettings, clusterSettings,
		controlPlaneSettings, keySettings, manifestSettings,
	} {
		maps.Copy(said, read(provider))
	}

	return said
}

func machineSettings(provider config.Provider) map[string]any {
	said := map[string]any{
		"machine.sysctls": provider.SysctlConfig(),
		"machine.sysfs":   provider.SysfsConfig(),
	}

	if install := provider.UnattendedInstallConfig(); install != nil {
		said["machine.install.image"] = install.InstallerImage()
		said["machine.install.wipe"] = install.VolumeWipe()
	} else if provider.Machine() != nil {
		said["machine.install.image"] = provider.Machine().Install().Image()
		said["machine.install.wipe"] = provider.Machine().Install().Zero()
	}

	// A later module replaces an earlier one of the same name (KernelModuleConfigController).
	modules := map[string][]string{}
	for _, module := range provider.KernelModuleConfigs() {
		modules[module.Name()] = module.Parameters()
	}

	said["machine.kernel.modules"] = modules

	if udev := provider.UdevRulesConfig(); udev != nil {
		said["machine.udev.rules"] = udev.Rules()
	}

	if spec := provider.CRIBaseRuntimeSpecConfig(); spec != nil {
		said["machine.baseRuntimeSpecOverrides"] = spec.Overrides()
	}

	if hostname := provider.NetworkHostnameConfig(); hostname != nil {
		said["machine.network.hostname"] = hostname.Hostname()
	}

	if kubeSpan := provider.NetworkKubeSpanConfig(); kubeSpan != nil {
		said["machine.network.kubespan.enabled"] = kubeSpan.Enabled()
		said["machine.network.kubespan.advertiseKubernetesNetworks"] = kubeSpan.AdvertiseKubernetesNetworks()
	}

	if time := provider.NetworkTimeSyncConfig(); time != nil {
		said["machine.time.disabled"] = time.Disabled()
		said["machine.time.servers"] = time.Servers()
	}

	return said
}

func featureSettings(provider config.Provider) map[string]any {
	const features = "machine.features."

	said := map[string]any{}

	if hostDNS := provider.NetworkHostDNSConfig(); hostDNS != nil {
		said[features+"hostDNS.enabled"] = hostDNS.HostDNSEnabled()
		said[features+"hostDNS.forwardKubeDNSToHost"] = hostDNS.ForwardKubeDNSToHost()
		said[features+"hostDNS.resolveMemberNames"] = hostDNS.ResolveMemberNames()
	}

	if cache := provider.ImageCacheConfig(); cache != nil {
		said[features+"imageCache.localEnabled"] = cache.LocalEnabled()
	}

	kubePrism := provider.K8sKubePrismConfig()
	said[features+"kubePrism.enabled"] = kubePrism != nil

	if kubePrism != nil {
		said[features+"kubePrism.port"] = kubePrism.Port()
	}

	access := provider.K8sTalosAPIAccessConfig()
	said[features+"kubernetesTalosAPIAccess.enabled"] = access != nil

	if access != nil {
		said[features+"kubernetesTalosAPIAccess.allowedRoles"] = access.AllowedRoles()
		said[features+"kubernetesTalosAPIAccess.allowedKubernetesNamespaces"] = access.AllowedKubernetesNamespaces()
	}

	endpoints := []string{}
	for _, service := range provider.DiscoveryServiceConfigs() {
		endpoints = append(endpoints, service.Endpoint().String())
	}

	said["cluster.discovery.registries.service.endpoint"] = endpoints

	if identity := provider.DiscoveryIdentityConfig(); identity != nil {
		said["cluster.id"] = identity.ClusterID()
		said["cluster.secret"] = identity.ClusterSecret()
	}

	return said
}

func kubeletSettings(provider config.Provider) map[string]any {
	said := map[string]any{}

	if kubelet := provider.K8sKubeletConfig(); kubelet != nil {
		said["machine.kubelet.image"] = kubelet.Image()
		said["machine.kubelet.clusterDNS"] = kubelet.ClusterDNS()
		said["machine.kubelet.extraArgs"] = kubelet.ExtraArgs()
		said["machine.kubelet.extraConfig"] = kubelet.ExtraConfig()
		said["machine.kubelet.defaultRuntimeSeccompProfileEnabled"] = kubelet.DefaultRuntimeSeccompProfileEnabled()
	}

	if credentials := provider.K8sCredentialProviderConfig(); credentials != nil {
		said["machine.kubelet.credentialProviderConfig"] = credentials.Configuration()
	}

	return said
}

func nodeSettings(provider config.Provider) map[string]any {
	node := provider.K8sNodeConfig()
	if node == nil {
		return nil
	}

	return map[string]any{
		"machine.kubelet.skipNodeRegistration": node.SkipNodeRegistration(),
		"machine.kubelet.registerWithFQDN":     node.RegisterWithFQDN(),
		"machine.kubelet.nodeIP.validSubnets":  node.NodeIP().ValidSubnets(),
		"machine.nodeLabels":                   node.Labels(),
		"machine.nodeAnnotations":              node.Annotations(),
		"machine.nodeTaints":                   node.Taints(),
	}
}

func clusterSettings(provider config.Provider) map[string]any {
	said := map[string]any{}

	if cluster := provider.K8sClusterConfig(); cluster != nil {
		said["cluster.clusterName"] = cluster.ClusterName()

		if endpoint := cluster.ClusterEndpoint(); endpoint != nil {
			said["cluster.controlPlane.endpoint"] = endpoint.String()
		}
	}

	if network := provider.K8sNetworkConfig(); network != nil {
		said["cluster.network.dnsDomain"] = network.DNSDomain()
		said["cluster.network.podSubnets"] = prefixes(network.PodCIDRs())
		said["cluster.network.serviceSubnets"] = prefixes(network.ServiceCIDRs())
	}

	flannel := provider.K8sFlannelCNIConfig()
	said["cluster.network.cni.name"] = flannel != nil

	if flannel != nil {
		said["cluster.network.cni.flannel.extraArgs"] = flannel.ExtraArgs()
		said["cluster.network.cni.flannel.kubeNetworkPoliciesEnabled"] = flannel.KubeNetworkPoliciesEnabled()
	}

	return said
}

func controlPlaneSettings(provider config.Provider) map[string]any {
	said := map[string]any{}

	if server := provider.K8sAPIServerConfig(); server != nil {
		said["cluster.apiServer.image"] = server.Image()
		said["cluster.apiServer.extraArgs"] = server.ExtraArgs()
		said["cluster.apiServer.env"] = server.Env()
		said["cluster.apiServer.certSANs"] = server.CertSANs()
		said["cluster.controlPlane.localAPIServerPort"] = server.APIPort()
	}

	if manager := provider.K8sControllerManagerConfig(); manager != nil {
		said["cluster.controllerManager.image"] = manager.Image()
		said["cluster.controllerManager.extraArgs"] = manager.ExtraArgs()
		said["cluster.controllerManager.env"] = manager.Env()
		said["machine.controlPlane.controllerManager.disabled"] = !manager.Enabled()
	}

	if scheduler := provider.K8sSchedulerConfig(); scheduler != nil {
		said["cluster.scheduler.image"] = scheduler.Image()
		said["cluster.scheduler.extraArgs"] = scheduler.ExtraArgs()
		said["cluster.scheduler.env"] = scheduler.Env()
		said["cluster.scheduler.config"] = scheduler.Config()
		said["machine.controlPlane.scheduler.disabled"] = !scheduler.Enabled()
	}

	if proxy := provider.K8sProxyConfig(); proxy != nil {
		said["cluster.proxy.image"] = proxy.Image()
		said["cluster.proxy.mode"] = proxy.Mode()
		said["cluster.proxy.extraArgs"] = proxy.ExtraArgs()
		said["cluster.proxy.config"] = proxy.Config()
		said["cluster.proxy.disabled"] = !proxy.Enabled()
	}

	if dns := provider.K8sCoreDNSConfig(); dns != nil {
		said["cluster.coreDNS.disabled"] = !dns.Enabled()
		said["cluster.coreDNS.image"] = dns.Image()
	}

	if policy := provider.K8sAuditPolicyConfig(); policy != nil {
		said["cluster.apiServer.auditPolicy"] = policy.Configuration()
	}

	plugins := map[string]any{}
	for _, plugin := range provider.K8sAdmissionControlPluginConfigs() {
		plugins[plugin.Name()] = plugin.Configuration()
	}

	said["cluster.apiServer.admissionControl"] = plugins

	authorizers := map[string]string{}
	for _, authorizer := range provider.K8sAuthorizerConfigs() {
		authorizers[authorizer.Name()] = authorizer.Type()
	}

	said["cluster.apiServer.authorizationConfig"] = authorizers

	return said
}

func keySettings(provider config.Provider) map[string]any {
	said := map[string]any{}

	if ca := provider.K8sAPIServerCAConfig(); ca != nil {
		said["cluster.ca"] = authority(ca.IssuingCA())
		said["cluster.acceptedCAs"] = certificates(ca.AcceptedCAs())
	}

	if ca := provider.K8sAggregatorCAConfig(); ca != nil {
		said["cluster.aggregatorCA.key"] = authority(ca.IssuingCA())["key"]
		said["cluster.aggregatorCA.crt"] = joined(ca.AcceptedCAs())
	}

	if account := provider.K8sServiceAccountConfig(); account != nil {
		said["cluster.serviceAccount.key"] = base64.StdEncoding.EncodeToString(account.IssuingKey().Key)
	}

	return said
}

func manifestSettings(provider config.Provider) map[string]any {
	inline := map[string]string{}
	for _, manifest := range provider.K8sInlineManifestConfigs() {
		inline[manifest.Name()] = manifest.Contents()
	}

	urls := []string{}
	for _, manifest := range provider.K8sExternalManifestConfigs() {
		urls = append(urls, manifest.URL())
	}

	slices.Sort(urls)

	pods := []any{}
	for _, pod := range provider.K8sStaticPodConfigs() {
		pods = append(pods, pod.Pod())
	}

	return map[string]any{
		"cluster.inlineManifests": inline,
		"cluster.extraManifests":  urls,
		"machine.pods":            pods,
	}
}

func prefixes(all []netip.Prefix) []string {
	out := []string{}
	for _, prefix := range all {
		out = append(out, prefix.String())
	}

	return out
}

func authority(pair *x509.PEMEncodedCertificateAndKey) map[string]string {
	if pair == nil {
		return map[string]string{}
	}

	return map[string]string{
		"crt": base64.StdEncoding.EncodeToString(pair.Crt),
		"key": base64.StdEncoding.EncodeToString(pair.Key),
	}
}

func certificates(all []*x509.PEMEncodedCertificate) []string {
	out := []string{}
	for _, certificate := range all {
		out = append(out, base64.StdEncoding.EncodeToString(certificate.Crt))
	}

	return out
}

// joined has all certificates in one text, each on lines of its own.
func joined(all []*x509.PEMEncodedCertificate) string {
	var out []byte
	for _, certificate := range all {
		out = append(out, bytes.TrimRight(certificate.Crt, "\n")...)
		out = append(out, '\n')
	}

	return base64.StdEncoding.EncodeToString(out)
}
