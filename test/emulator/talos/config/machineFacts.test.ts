import { machineFacts } from "../../../../emulator/talos/config/machineFacts";
import { decodeDocuments } from "../../../../provider/config/encode";

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
});
