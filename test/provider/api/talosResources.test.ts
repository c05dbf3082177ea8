import type { CosiResource } from "../../../provider/api/cosiResource";
import { talosResources } from "../../../provider/api/talosResources";
import { readTypedResource } from "../../../provider/api/typedResource";
import type { ResourceKind } from "../../../provider/api/typedResource";

function read<Spec>(kind: ResourceKind<Spec>, spec: string): Spec {
  const resource: CosiResource = {
    namespace: kind.namespace,
    type: kind.type,
    id: kind.id ?? "a",
    version: "1",
    phase: "running",
    owner: "",
    labels: {},
    annotations: {},
    created: undefined,
    updated: undefined,
    spec,
  };
  return readTypedResource(kind, resource).spec;
}

// The texts are those of nodes with Talos v1.12.1, but for volumes and extensions of machines with disks.
describe("talosResources", () => {
  it("reads members", () => {
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
      nodeId: "Y47v",
      addresses: ["10.5.0.2"],
      hostname: "cp1",
      nodeType: "controlplane",
      operatingSystem: "Talos (v1.12.1)",
      apiServerPort: 6443,
    };
    expect(read(talosResources.member, member)).toEqual(expected);
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

  it("reads names", () => {
    const nodename = 'nodename: 12e5\nhostnameVersion: "1"\nskipNodeRegistration: false\n';
    expect(read(talosResources.nodename, nodename)).toEqual({
      nodename: "12e5",
      skipNodeRegistration: false,
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
      phase: "ready",
      type: "partition",
      location: "/dev/nvme0n1p6",
      sizeBytes: 19327352832,
      filesystem: "xfs",
      encryptionProvider: "luks2",
      errorMessage: "",
    });
    const directory = "phase: ready\ntype: directory\nmountSpec:\n    targetPath: lib\n";
    expect(read(talosResources.volumeStatus, directory)).toMatchObject({
      location: "",
      sizeBytes: undefined,
    });
  });

  it("reads an extension", () => {
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
  });

  it("names each malformed field, and no value", () => {
    const spec = "stage: dancing\nstatus:\n    ready: hunter2\n    unmetConditions: {}\n";
    expect(() => read(talosResources.machineStatus, spec)).toThrow(
      'the spec of MachineStatuses.runtime.talos.dev "machine" cannot be read: "stage" should be one of unknown, booting, installing, maintenance, running, rebooting, shutting down, resetting, upgrading and is a text; "status.ready" should be true or false and is a text; "status.unmetConditions" should be a list and is an object',
    );
  });
});
