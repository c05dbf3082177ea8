import { encodeSpec, ipOf } from "../../../../emulator/talos/cosi/specCodec";

describe("a resource's spec in protobuf", () => {
  // Read from a real Talos v1.12.1 node.
  test.each([
    [
      "Member",
      {
        nodeId: "Zrgeu678BpSb47ud7qsApiDsJEXgYz403Zlfmd1reUOB",
        addresses: [ipOf("10.5.0.2")],
        hostname: "cp1",
        machineType: "TYPE_CONTROL_PLANE",
        operatingSystem: "Talos (v1.12.1)",
        controlPlane: { apiServerPort: 6443 },
      },
      "CixacmdldTY3OEJwU2I0N3VkN3FzQXBpRHNKRVhnWXo0MDNabGZtZDFyZVVPQhIGCgQKBQACGgNjcDEgAioPVGFsb3MgKHYxLjEyLjEpMgMIqzI=",
    ],
    [
      "Affiliate",
      {
        nodeId: "ZmHXwKBFrOmDckVde7mUIvJsQENC9jMWVQC0FLTdpeW",
        addresses: [ipOf("10.5.0.4")],
        hostname: "cp3",
        nodename: "cp3",
        operatingSystem: "Talos (v1.12.1)",
        machineType: "TYPE_CONTROL_PLANE",
        controlPlane: { apiServerPort: 6443 },
      },
      "CitabUhYd0tCRnJPbURja1ZkZTdtVUl2SnNRRU5DOWpNV1ZRQzBGTFRkcGVXEgYKBAoFAAQaA2NwMyIDY3AzKg9UYWxvcyAodjEuMTIuMSkwAkIDCKsy",
    ],
    [
      "MachineStatus",
      {
        stage: "MACHINE_STAGE_BOOTING",
        status: {
          unmetConditions: [
            { name: "services", reason: "kubelet not running" },
            { name: "nodeReady", reason: 'node "cp1" status is not available yet' },
          ],
        },
      },
      "CAESVhIfCghzZXJ2aWNlcxITa3ViZWxldCBub3QgcnVubmluZxIzCglub2RlUmVhZHkSJm5vZGUgImNwMSIgc3RhdHVzIGlzIG5vdCBhdmFpbGFibGUgeWV0",
    ],
    [
      "AddressStatus",
      {
        address: { ...ipOf("127.0.0.1"), prefixLength: 8 },
        local: ipOf("127.0.0.1"),
        linkIndex: 1,
        linkName: "lo",
        family: "FAMILY_INET4",
        scope: "SCOPE_HOST",
        flags: 128,
      },
      "CggKBH8AAAEQCBIGCgR/AAABMAE6AmxvQAJI/gFQgAE=",
    ],
    ["NodeAddress", { addresses: [{ ...ipOf("10.5.0.2"), prefixLength: 24 }] }, "CggKBAoFAAIQGA=="],
    ["MachineTypeSpec", { machineType: "TYPE_CONTROL_PLANE" }, "CAI="],
    ["Nodename", { nodename: "cp1", hostnameVersion: "1" }, "CgNjcDESATE="],
    ["HostnameStatus", { hostname: "cp1" }, "CgNjcDE="],
    ["EtcdMember", { memberId: "c3d3020cf75b8728" }, "ChBjM2QzMDIwY2Y3NWI4NzI4"],
    ["Endpoint", { addresses: [ipOf("10.5.0.2"), ipOf("10.5.0.3")] }, "CgYKBAoFAAIKBgoECgUAAw=="],
    ["Service", { running: true, healthy: true }, "CAEQAQ=="],
    ["TimeStatus", { synced: true, syncDisabled: true }, "CAEYAQ=="],
    ["Version", { version: "v1.12.1" }, "Cgd2MS4xMi4x"],
    [
      "Info",
      { clusterId: "VwF91VDANapeGYzEf5SgKH6DDdqzKpohPtRlamJUd9I=", clusterName: "lab" },
      "CixWd0Y5MVZEQU5hcGVHWXpFZjVTZ0tINkREZHF6S3BvaFB0UmxhbUpVZDlJPRIDbGFi",
    ],
    [
      "PlatformMetadata",
      { platform: "container", hostname: "cp1", instanceType: "2CPU-2048RAM" },
      "Cgljb250YWluZXISA2NwMSoMMkNQVS0yMDQ4UkFN",
    ],
    [
      "ResourceDefinition",
      {
        resourceType: "MachineConfigs.config.talos.dev",
        displayType: "MachineConfig",
        defaultNamespace: "config",
        aliases: ["machineconfig", "mc", "mcs"],
        allAliases: [
          "machineconfigs",
          "machineconfigs.config",
          "machineconfigs.config.talos",
          "machineconfig",
          "mc",
          "mcs",
        ],
        sensitivity: "SENSITIVE",
      },
      "Ch9NYWNoaW5lQ29uZmlncy5jb25maWcudGFsb3MuZGV2Eg1NYWNoaW5lQ29uZmlnGgZjb25maWciDW1hY2hpbmVjb25maWciAm1jIgNtY3MqDm1hY2hpbmVjb25maWdzKhVtYWNoaW5lY29uZmlncy5jb25maWcqG21hY2hpbmVjb25maWdzLmNvbmZpZy50YWxvcyoNbWFjaGluZWNvbmZpZyoCbWMqA21jczgB",
    ],
  ])("equals a real node's: %s", (message, value, expected) => {
    expect(encodeSpec(message, value).toString("base64")).toBe(expected);
  });

  test("needs a defined message", () => {
    expect(() => encodeSpec("Nonsense", {})).toThrow(
      'proto/specs.proto defines no message "Nonsense"',
    );
  });
});
