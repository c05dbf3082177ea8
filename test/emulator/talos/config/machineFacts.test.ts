import { machineFacts } from "../../../../emulator/talos/config/machineFacts";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";

const factsOf = (text: string) => machineFacts(decodeDocuments(text));

describe("facts of a machine configuration", () => {
  test("are none without the machine's document", () => {
    expect(factsOf("apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n")).toBeUndefined();
  });

  test("default to those of Talos v1.12", () => {
    expect(factsOf("version: v1alpha1\nmachine:\n  type: worker\n")).toMatchObject({
      machineType: "worker",
      acceptedCas: [],
      dnsDomain: "cluster.local",
      serviceCidrs: ["10.96.0.0/12"],
      discoveryEnabled: false,
      timeServer: "time.cloudflare.com",
      kubeletVersion: "v1.35.0",
      apiServerVersion: "v1.35.0",
      hostname: undefined,
    });
  });

  test("come from their documents", () => {
    const facts = factsOf(`version: v1alpha1
machine:
  type: controlplane
  ca: { crt: QQ==, key: Qg== }
  acceptedCAs: [{ crt: Qw== }]
  certSANs: [1.2.3.4]
  kubelet: { image: "registry.local:5000/kubelet:v1.34.2@sha256:abc", registerWithFQDN: true }
  nodeLabels: { a: b }
cluster:
  id: one
  clusterName: two
  controlPlane: { endpoint: "https://api:6443" }
  discovery: { enabled: true }
  apiServer: { image: "registry.k8s.io/kube-apiserver:v1.34.1", certSANs: [api] }
---
apiVersion: v1alpha1
kind: HostnameConfig
hostname: node-7
---
apiVersion: v1alpha1
kind: TimeSyncConfig
ntp: { servers: [time.local] }
`);
    expect(facts).toMatchObject({
      machineType: "controlplane",
      osCa: { crt: "QQ==", key: "Qg==" },
      acceptedCas: ["QQ==", "Qw=="],
      certSans: ["1.2.3.4"],
      kubeletVersion: "v1.34.2",
      registerWithFqdn: true,
      nodeLabels: { a: "b" },
      clusterId: "one",
      clusterName: "two",
      endpoint: "https://api:6443",
      discoveryEnabled: true,
      apiServerVersion: "v1.34.1",
      apiServerCertSans: ["api"],
      hostname: "node-7",
      timeServer: "time.local",
    });
  });

  test("are the same where documents of Talos v1.14 have the settings", () => {
    const fields = factsOf(`version: v1alpha1
machine:
  type: controlplane
  kubelet:
    image: ghcr.io/siderolabs/kubelet:v1.36.3
    extraArgs: { node-labels: a=b }
    nodeIP: { validSubnets: [10.0.0.0/16] }
  nodeLabels: { pool: blue }
  features: { kubePrism: { enabled: true, port: 7445 } }
cluster:
  id: one
  secret: two
  clusterName: three
  controlPlane: { endpoint: "https://api:6443" }
  discovery: { enabled: true }
  network: { dnsDomain: own.local, podSubnets: [10.1.0.0/16], serviceSubnets: [10.2.0.0/16] }
  apiServer: { image: "registry.k8s.io/kube-apiserver:v1.36.3", certSANs: [api], extraArgs: { v: "2" } }
  controllerManager: { image: "registry.k8s.io/kube-controller-manager:v1.36.3" }
  scheduler: { image: "registry.k8s.io/kube-scheduler:v1.36.3" }
  inlineManifests: [{ name: four, contents: "kind: Namespace" }]
`);
    const documents = factsOf(`version: v1alpha1
machine: { type: controlplane }
cluster: {}
---
{apiVersion: v1alpha1, kind: KubeletConfig, image: "ghcr.io/siderolabs/kubelet:v1.36.3", config: {}, extraArgs: {node-labels: a=b}}
---
{apiVersion: v1alpha1, kind: KubeNodeConfig, nodeIP: {validSubnets: [10.0.0.0/16]}, labels: {pool: blue, node-role.kubernetes.io/control-plane: ""}, taints: {node-role.kubernetes.io/control-plane: NoSchedule}}
---
{apiVersion: v1alpha1, kind: KubePrismConfig, port: 7445}
---
{apiVersion: v1alpha1, kind: DiscoveryIdentityConfig, clusterID: one, clusterSecret: two}
---
{apiVersion: v1alpha1, kind: DiscoveryServiceConfig, name: default, endpoint: "https://discovery.talos.dev/"}
---
{apiVersion: v1alpha1, kind: KubeClusterConfig, clusterName: three, endpoint: "https://api:6443"}
---
{apiVersion: v1alpha1, kind: KubeNetworkConfig, dnsDomain: own.local, podSubnets: [10.1.0.0/16], serviceSubnets: [10.2.0.0/16]}
---
{apiVersion: v1alpha1, kind: KubeAPIServerConfig, image: "registry.k8s.io/kube-apiserver:v1.36.3", certExtraSANs: [api], extraArgs: {v: "2"}}
---
{apiVersion: v1alpha1, kind: KubeControllerManagerConfig, image: "registry.k8s.io/kube-controller-manager:v1.36.3"}
---
{apiVersion: v1alpha1, kind: KubeSchedulerConfig, image: "registry.k8s.io/kube-scheduler:v1.36.3", config: {}}
---
{apiVersion: v1alpha1, kind: KubeFlannelCNIConfig, backendType: vxlan}
---
{apiVersion: v1alpha1, kind: KubeInlineManifestConfig, name: four, manifest: "kind: Namespace"}
---
{apiVersion: v1alpha1, kind: KubeExternalManifestConfig, name: five, url: "https://example.com/five.yaml"}
`);
    const { manifests, controlPlane, kubelet, ...facts } = documents ?? {};
    expect(fields).toMatchObject(facts);
    expect(controlPlane?.apiServer.extraArgs).toEqual({ v: "2" });
    expect(kubelet?.extraArgs).toEqual({ "node-labels": "a=b" });
    const urls = [{ id: "99-five", url: "https://example.com/five.yaml" }];
    expect(manifests).toEqual({ ...fields?.manifests, urls });
  });
});
