import { resourceDefinitions } from "../../../../emulator/talos/cosi/resourceDefinitions";

describe("resource definitions", () => {
  test("are found by their type in lower case", () => {
    expect(resourceDefinitions.get("members.cluster.talos.dev")).toEqual({
      type: "Members.cluster.talos.dev",
      displayType: "Member",
      defaultNamespace: "cluster",
      aliases: ["member"],
      allAliases: ["members", "members.cluster", "members.cluster.talos", "member"],
      printColumns: [
        { name: "Hostname", jsonPath: "{.hostname}" },
        { name: "Machine Type", jsonPath: "{.machineType}" },
        { name: "OS", jsonPath: "{.operatingSystem}" },
        { name: "Addresses", jsonPath: "{.addresses}" },
      ],
      sensitive: false,
    });
  });

  test("mark secrets", () => {
    const sensitive = [...resourceDefinitions.values()].filter(
      (definition) => definition.sensitive,
    );
    expect(sensitive.map(({ displayType }) => displayType)).toEqual(
      expect.arrayContaining(["MachineConfig", "OSRootSecret", "KubernetesRootSecret"]),
    );
  });

  test("omit the automatic aliases that Talos omits", () => {
    expect(resourceDefinitions.get("mountstatuses.runtime.talos.dev")?.allAliases).toEqual([
      "mounts",
    ]);
  });
});
