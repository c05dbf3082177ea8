import type { CosiResource } from "../../../provider/api/cosiResource";
import { talosResources } from "../../../provider/api/talosResources";
import { readTypedResource } from "../../../provider/api/typedResource";
import type { ResourceKind } from "../../../provider/api/typedResource";

function read<Spec>(kind: ResourceKind<Spec>, spec: string): Spec {
  const resource: CosiResource = {
    ...{ namespace: kind.namespace, type: kind.type, id: kind.id ?? "a", version: "1" },
    ...{ phase: "running", owner: "", labels: {}, annotations: {} },
    ...{ created: undefined, updated: undefined, spec },
  };
  return readTypedResource(kind, resource).spec;
}

// The texts are those of nodes with Talos v1.12.1, but for volumes and extensions of machines with disks.
describe("talosResources", () => {
  it("reads members and affiliates", () => {
    const member = `nodeId: Y47v
addresses:
    - 10.5.0.2
hostname: cp1
machineType: controlplane
operatingSystem: Talos (v1.12.1)
controlPlane:
    port: 6443
`;
    const expected = {
      ...{ nodeId: "Y47v", addresses: ["10.5.0.2"], hostname: "cp1", nodeType: "controlplane" },
      ...{ operatingSystem: "Talos (v1.12.1)", apiServerPort: 6443 },
    };
    expect(read(talosResources.member, member)).toEqual(expected);
    expect(read(talosResources.affiliate, `${member}nodename: cp1\n`)).toEqual({
      ...expected,
      nodename: "cp1",
      kubeSpan: undefined,
    });
    const withKubeSpan = `${member}kubespan:
    publicKey: mB6WlFOR66Z6k3ujBCdRxKsHLwFLPWDA2GDPmxRhoFE=
    address: fd7f:175a:b97c:5602::1
    additionalAddresses: []
    endpoints:
        - 10.5.0.2:51820
`;
    expect(read(talosResources.affiliate, withKubeSpan).kubeSpan).toMatchObject({
      endpoints: ["10.5.0.2:51820"],
    });
    const worker = member.replace(/controlPlane:\n.*\n/, "");
    expect(read(talosResources.member, worker).apiServerPort).toBeUndefined();
  });

  it("reads a machine's stage", () => {
    const spec = `stage: booting
status:
    ready: false
    unmetConditions:
        - name: services
          reason: kubelet not running
`;
    expect(read(talosResources.machineStatus, spec)).toEqual({
      stage: "booting",
      ready: false,
      unmetConditions: [{ name: "services", reason: "kubelet not running" }],
    });
  });

  it("reads a configuration as text", () => {
    const spec = "|\n    version: v1alpha1 # 1e3\n    machine: {}\n";
    expect(read(talosResources.activeConfiguration, spec)).toBe(
      "version: v1alpha1 # 1e3\nmachine: {}\n",
    );
  });

  it("reads names and addresses", () => {
    const nodename = 'nodename: 12e5\nhostnameVersion: "1"\nskipNodeRegistration: false\n';
    expect(read(talosResources.nodename, nodename)).toEqual({
      nodename: "12e5",
      skipNodeRegistration: false,
    });
    const none = "addresses: []\nsortAlgorithm: v1\n";
    expect(read(talosResources.nodeAddress, none)).toEqual({ addresses: [] });
    const address = `address: 10.5.0.2/24
linkIndex: 2
linkName: eth0
family: inet4
scope: global
flags: permanent
priority: 0
`;
    expect(read(talosResources.address, address)).toEqual({
      ...{ address: "10.5.0.2/24", linkName: "eth0", family: "inet4", scope: "global" },
    });
  });

  it("reads a link", () => {
    const spec = `index: 1
type: loopback
linkIndex: 0
flags: UP,LOOPBACK,RUNNING,LOWER_UP
hardwareAddr: "00:00:00:00:00:00"
permanentAddr: ""
broadcastAddr: "00:00:00:00:00:00"
mtu: 65536
queueDisc: noqueue
operationalState: unknown
kind: ""
slaveKind: ""
linkState: true
port: Other
duplex: Unknown
`;
    expect(read(talosResources.linkStatus, spec)).toEqual({
      ...{ type: "loopback", kind: "", hardwareAddress: "00:00:00:00:00:00", mtuBytes: 65536 },
      ...{ operationalState: "unknown", linkUp: true, speedMegabits: undefined },
    });
  });

  it("reads a volume with and without a size", () => {
    const partition = `phase: ready
type: partition
location: /dev/nvme0n1p6
size: 19327352832
filesystem: xfs
encryptionProvider: luks2
`;
    expect(read(talosResources.volumeStatus, partition)).toEqual({
      ...{ phase: "ready", type: "partition", location: "/dev/nvme0n1p6" },
      ...{ sizeBytes: 19327352832, filesystem: "xfs", encryptionProvider: "luks2" },
      errorMessage: "",
    });
    const directory = "phase: ready\ntype: directory\nmountSpec:\n    targetPath: lib\n";
    expect(read(talosResources.volumeStatus, directory)).toMatchObject({
      location: "",
      sizeBytes: undefined,
    });
  });

  it("reads an extension and the member of etcd", () => {
    const extension = `image: 000.ghcr.io-siderolabs-iscsi-tools-v0.2.0.sqsh
metadata:
    name: iscsi-tools
    version: v0.2.0
    author: Sidero Labs
    description: ""
    compatibility:
        talos:
            version: '>= v1.10.0'
`;
    expect(read(talosResources.extension, extension)).toMatchObject({
      name: "iscsi-tools",
      version: "v0.2.0",
    });
    expect(read(talosResources.etcdMember, "memberID: 1234567890123456\n")).toEqual({
      memberId: "1234567890123456",
    });
  });

  it("reads certificates without their keys", () => {
    const spec = `acceptedCAs:
    - crt: Y2E=
      key: ""
client: null
server:
    crt: c2VydmVy
    key: aHVudGVyMg==
`;
    const certificates = read(talosResources.apiCertificates, spec);
    expect(certificates).toEqual({ acceptedCas: ["Y2E="], server: "c2VydmVy", client: undefined });
  });

  it("names each malformed field, and no value", () => {
    const spec = "stage: dancing\nstatus:\n    ready: hunter2\n    unmetConditions: {}\n";
    expect(() => read(talosResources.machineStatus, spec)).toThrow(
      'the spec of MachineStatuses.runtime.talos.dev "machine" cannot be read: "stage" should be one of unknown, booting, installing, maintenance, running, rebooting, shutting down, resetting, upgrading and is a text; "status.ready" should be true or false and is a text; "status.unmetConditions" should be a list and is an object',
    );
  });
});
