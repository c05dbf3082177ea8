/** Texts that are shown, for one reason. */
interface ShownTexts {
  /** Why they can be shown. */
  readonly because: string;
  /** A text with a secret that somebody could put there all the same. */
  readonly planted: (secret: string) => string;
  /** What of that text is still shown. */
  readonly shown: string;
  /** Types and fields of the schema; `*` stands for every type. */
  readonly fields: readonly string[];
}

const token = (secret: string) => `ghp_${Buffer.from(secret).toString("hex")}`;
const privateKey = (secret: string) =>
  `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`;

/** Each text of configuration documents that isn't hidden, has no form, and isn't free content: why it is shown. */
export const shownTexts: readonly ShownTexts[] = [
  {
    because:
      "an address: it has names of hosts; a user name, a password and the values of a query are hidden",
    planted: (secret) => `https://user:${secret}@api.example.com/path?token=${secret}`,
    shown: "api.example.com/path",
    fields: words(`
      block.EncryptionKeyKMS.endpoint cluster.DiscoveryServiceConfigV1Alpha1.endpoint cri.RegistryEndpoint.url
      k8s.AcceptedServiceAccountConfig.issuers k8s.IssuerServiceAccountConfig.issuerURL
      k8s.KubeClusterConfigV1Alpha1.endpoint k8s.KubeExternalManifestConfigV1Alpha1.url
      network.HTTPProbeConfigV1Alpha1.url network.TCPProbeConfigV1Alpha1.endpoint
      runtime.EventSinkV1Alpha1.endpoint runtime.KmsgLogV1Alpha1.url siderolink.ConfigV1Alpha1.apiUrl
      v1alpha1.CNIConfig.urls v1alpha1.ClusterConfig.extraManifests v1alpha1.ControlPlaneConfig.endpoint
      v1alpha1.EncryptionKeyKMS.endpoint v1alpha1.ExternalCloudProviderConfig.manifests
      v1alpha1.LoggingDestination.endpoint v1alpha1.RegistryMirrorConfig.endpoints
      v1alpha1.RegistryServiceConfig.endpoint
    `),
  },
  {
    because:
      "options of a mount, of a volume or of udev, by their names: a value with a secret-sounding name is hidden",
    planted: (secret) => `ro,password=${secret}`,
    shown: "ro,",
    fields: words(`
      block.EncryptionSpec.options container.HostPathMount.options container.TmpfsMount.options
      container.UserVolumeMount.options runtime.UdevRulesConfigV1Alpha1.rules
      v1alpha1.EncryptionConfig.options v1alpha1.ExtraMount.options v1alpha1.UdevConfig.rules
    `),
  },
  {
    because: "public by nature; a private key in its place is hidden",
    planted: privateKey,
    shown: "",
    fields: words(`
      cri.RegistryTLSConfigV1Alpha1.ca k8s.AcceptedServiceAccountConfig.publicKeys
      k8s.KubeAPIServerCAConfigV1Alpha1.acceptedCAs k8s.KubeAggregatorCAConfigV1Alpha1.acceptedCAs
      meta.CertificateAndKey.cert network.WireguardPeer.publicKey
      security.ImagePublicKeyVerifierV1Alpha1.certificate security.TrustedRootsConfigV1Alpha1.certificates
      v1alpha1.DeviceWireguardPeer.publicKey v1alpha1.RegistryTLSConfig.ca x509.PEMEncodedCertificate.crt
      x509.PEMEncodedCertificateAndKey.crt
    `),
  },
  {
    because:
      "a name or an identity that Talos, Kubernetes or a machine has, and whoever asks them is told",
    planted: token,
    shown: "",
    fields: words(`
      *.kind *.apiVersion *.name *.image block.VirtiofsMountSpec.tag
      cluster.DiscoveryIdentityConfigV1Alpha1.clusterID container.ContainerDependsOn.containers
      container.ContainerDependsOn.networks container.ContainerSecurity.profile
      cri.RegistryAuthConfigV1Alpha1.username hardware.PCIDriverRebindConfigV1Alpha1.targetDriver
      k8s.AcceptedServiceAccountConfig.audiences k8s.KubeClusterConfigV1Alpha1.clusterName
      k8s.KubeTalosAPIAccessConfigV1Alpha1.allowedKubernetesNamespaces
      k8s.KubeTalosAPIAccessConfigV1Alpha1.allowedRoles network.BGPImportRoute.bgpInstance
      network.BGPInstanceConfigV1Alpha1.vrf network.BGPNeighborConfig.link network.BondConfigV1Alpha1.links
      network.BridgeConfigV1Alpha1.links network.DHCPv4ConfigV1Alpha1.clientIdentifier
      network.DHCPv6ConfigV1Alpha1.clientIdentifier network.HCloudVIPConfigV1Alpha1.link
      network.Layer2VIPConfigV1Alpha1.link network.RoutingRuleConfigV1Alpha1.iifName
      network.RoutingRuleConfigV1Alpha1.oifName network.VLANConfigV1Alpha1.parent
      network.VRFConfigV1Alpha1.links security.ImageKeylessVerifierV1Alpha1.issuer
      security.ImageKeylessVerifierV1Alpha1.subject security.ImageKeylessVerifierV1Alpha1.subjectRegex
      storage.LVMLogicalVolumeProvisioningSpec.volumeGroup v1alpha1.Bond.adActorSystem
      v1alpha1.Bond.interfaces v1alpha1.Bond.primary v1alpha1.Bridge.interfaces v1alpha1.BridgePort.master
      v1alpha1.ClusterConfig.clusterName v1alpha1.ClusterConfig.id v1alpha1.DHCPOptions.duidv6
      v1alpha1.Device.interface v1alpha1.InstallDiskSelector.modalias v1alpha1.InstallDiskSelector.model
      v1alpha1.InstallDiskSelector.serial v1alpha1.InstallDiskSelector.uuid v1alpha1.InstallDiskSelector.wwid
      v1alpha1.KubernetesTalosAPIAccessConfig.allowedKubernetesNamespaces
      v1alpha1.KubernetesTalosAPIAccessConfig.allowedRoles v1alpha1.NetworkDeviceSelector.driver
      v1alpha1.NetworkDeviceSelector.hardwareAddr v1alpha1.NetworkDeviceSelector.pciID
      v1alpha1.NetworkDeviceSelector.permanentAddr v1alpha1.RegistryAuthConfig.username
    `),
  },
  {
    because: "names and addresses in a network",
    planted: token,
    shown: "",
    fields: words(`
      k8s.KubeAPIServerConfigV1Alpha1.certExtraSANs k8s.KubeNetworkConfigV1Alpha1.dnsDomain
      k8s.KubePrismConfigV1Alpha1.tlsServerName k8s.KubeletConfigV1Alpha1.clusterDNS
      k8s.NodeIPConfig.validSubnets network.HostnameConfigV1Alpha1.hostname
      network.KubeSpanFiltersConfig.endpoints network.NTPConfig.servers network.NameserverConfig.tlsServerName
      network.SearchDomainsConfig.domains network.StaticHostConfigV1Alpha1.hostnames
      v1alpha1.APIServerConfig.certSANs v1alpha1.Bond.arpIPTarget v1alpha1.ClusterNetworkConfig.dnsDomain
      v1alpha1.ClusterNetworkConfig.podSubnets v1alpha1.ClusterNetworkConfig.serviceSubnets
      v1alpha1.Device.addresses v1alpha1.Device.cidr v1alpha1.DeviceVIPConfig.ip
      v1alpha1.DeviceWireguardPeer.allowedIPs v1alpha1.DeviceWireguardPeer.endpoint
      v1alpha1.EtcdConfig.advertisedSubnets v1alpha1.EtcdConfig.listenSubnets v1alpha1.EtcdConfig.subnet
      v1alpha1.ExtraHost.aliases v1alpha1.ExtraHost.ip v1alpha1.KubeSpanFilters.endpoints
      v1alpha1.KubeSpanFilters.excludeAdvertisedNetworks v1alpha1.KubeletConfig.clusterDNS
      v1alpha1.KubeletNodeIPConfig.validSubnets v1alpha1.MachineConfig.certSANs
      v1alpha1.NetworkConfig.hostname v1alpha1.NetworkConfig.nameservers v1alpha1.NetworkConfig.searchDomains
      v1alpha1.Route.gateway v1alpha1.Route.network v1alpha1.Route.source v1alpha1.TimeConfig.servers
      v1alpha1.Vlan.addresses v1alpha1.Vlan.cidr
    `),
  },
  {
    because: "a path, a device or a bus of a machine",
    planted: token,
    shown: "",
    fields: words(`
      container.ContainerConfigV1Alpha1.workingDir container.ContainerDependsOn.paths
      container.HostPathMount.destination container.HostPathMount.source container.TmpfsMount.destination
      container.UserVolumeMount.destination extensions.ConfigFile.mountPath network.PTPConfig.devices
      runtime.WatchdogTimerV1Alpha1.device v1alpha1.DiskPartition.mountpoint v1alpha1.ExtraMount.destination
      v1alpha1.ExtraMount.source v1alpha1.InstallConfig.disk v1alpha1.InstallDiskSelector.busPath
      v1alpha1.MachineDisk.device v1alpha1.MachineFile.path v1alpha1.NetworkDeviceSelector.busPath
      v1alpha1.VolumeMountConfig.hostPath v1alpha1.VolumeMountConfig.mountPath
    `),
  },
  {
    because: "a condition of which machines, disks or volumes are meant",
    planted: token,
    shown: "",
    fields: words(`
      block.DiskSelector.match block.VolumeSelector.match network.LinkSelector.match
      runtime.DiskSelectorSpec.match runtime.OOMV1Alpha1.cgroupRankingExpression
      runtime.OOMV1Alpha1.triggerExpression storage.LVMVolumeSelectorSpec.match
      storage.RAIDVolumeSelector.match
    `),
  },
  {
    because: "a word or a size that Talos knows",
    planted: token,
    shown: "",
    fields: words(`
      block.EncryptionSpec.cipher block.EncryptionSpec.provider
      block.ExternalVolumeConfigV1Alpha1.filesystemType block.FilesystemSpec.type
      block.UserVolumeConfigV1Alpha1.volumeType container.ContainerCapabilities.add
      container.ContainerCapabilities.drop container.ContainerNetwork.mode
      container.ContainerResourceLimits.cpu container.ContainerResourceLimits.memory container.TmpfsMount.size
      k8s.KubeAuthorizerConfigV1Alpha1.type k8s.KubeFlannelCNIConfigV1Alpha1.backendType
      k8s.KubeProxyConfigV1Alpha1.mode network.BGPInstanceConfigV1Alpha1.advertise
      network.BondConfigV1Alpha1.adLACPActive network.BondConfigV1Alpha1.adSelect
      network.BondConfigV1Alpha1.arpAllTargets network.BondConfigV1Alpha1.arpValidate
      network.BondConfigV1Alpha1.bondMode network.BondConfigV1Alpha1.failOverMac
      network.BondConfigV1Alpha1.lacpRate network.BondConfigV1Alpha1.primaryReselect
      network.BondConfigV1Alpha1.xmitHashPolicy network.DefaultActionConfigV1Alpha1.ingress
      network.EthernetConfigV1Alpha1.wakeOnLan network.HostnameConfigV1Alpha1.auto
      network.NameserverConfig.protocol network.RoutingRuleConfigV1Alpha1.action
      network.RulePortSelector.protocol network.VLANConfigV1Alpha1.vlanMode
      storage.LVMLogicalVolumeConfigV1Alpha1.type storage.RAIDArrayConfigV1Alpha1.level
      storage.RAIDArrayConfigV1Alpha1.metadata v1alpha1.AuthorizationConfigAuthorizerConfig.type
      v1alpha1.Bond.adSelect v1alpha1.Bond.arpAllTargets v1alpha1.Bond.arpValidate v1alpha1.Bond.failOverMac
      v1alpha1.Bond.lacpRate v1alpha1.Bond.mode v1alpha1.Bond.primaryReselect v1alpha1.Bond.xmitHashPolicy
      v1alpha1.Config.version v1alpha1.EncryptionConfig.cipher v1alpha1.EncryptionConfig.provider
      v1alpha1.ExtraMount.type v1alpha1.FeaturesConfig.nodeAddressSortAlgorithm
      v1alpha1.InstallDiskSelector.type v1alpha1.LoggingDestination.format v1alpha1.MachineConfig.type
      v1alpha1.MachineFile.op v1alpha1.ProxyConfig.mode
    `),
  },
];

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
