import { checkArguments, checkFunctionArguments } from "../../plugin/checkArguments";
import { pythonName } from "../../plugin/pythonName";
import { UNKNOWN } from "../../provider/base/unknown";
import { asInSchema } from "../../provider/schema/writtenName";

const problems = (kind: string, args: Record<string, unknown>, written = asInSchema) =>
  checkArguments(`talos-aws:index:${kind}`, args, written).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

const credentials = { ca: "ca", crt: "crt", key: "key" };
const machine = { node: "10.0.0.4", credentials };

describe("the arguments of a program without a compiler", () => {
  it("are right as they are in TypeScript, and where they are unknown", () => {
    const health = { controlPlaneNodes: ["10.0.0.4"], credentials, gates: ["etcd"] };
    expect(problems("ClusterHealth", { ...health, timeoutSeconds: 60, kubeconfig: null })).toEqual(
      [],
    );
    expect(problems("ClusterHealth", { controlPlaneNodes: UNKNOWN, credentials: UNKNOWN })).toEqual(
      [],
    );
    expect(
      problems("EtcdMember", { ...machine, machineId: "i-1", peers: [UNKNOWN], drain: {} }),
    ).toEqual([]);
  });

  it("have the names of the schema, and none of them is missing", () => {
    expect(problems("MachineBootstrap", { nodes: "10.0.0.4", credentials })).toEqual([
      'nodes: there is no such argument: did you mean "node"?',
      "node: it is missing: it must be a text",
    ]);
  });

  it("have its shapes, and no value is told", () => {
    expect(
      problems("ClusterHealth", {
        controlPlaneNodes: "10.0.0.4",
        credentials: { ca: ["secret"], crt: "crt" },
        timeoutSeconds: "ten",
      }).sort(),
    ).toEqual([
      "controlPlaneNodes: it must be a list of texts, not a text",
      "credentials.ca: it must be a text, not a list",
      "credentials.key: it is missing: it must be a text",
      "timeoutSeconds: it must be a whole number, as in 900, not a text",
    ]);
    expect(problems("EtcdMember", { ...machine, machineId: 5, drain: true }).sort()).toEqual([
      "drain: it must be a mapping, as in {timeoutSeconds: 300}, not true or false",
      "machineId: it must be a text, not a whole number: write it in quotes",
    ]);
    expect(problems("MachineSecrets", { versionContract: "v1.12", importedSecrets: 7 })).toEqual([
      "importedSecrets: it must be a text, not a whole number: write it in quotes",
    ]);
  });

  it("are refused at any depth if the schema doesn't have them, all at once", () => {
    const rule = { description: "", from: {}, group: "worker", protocol: "tcp" };
    const cluster = {
      environment: "demo",
      domain: "example.com",
      talosVersion: "v1.12.1",
      versionContract: "v1.12",
      kubernetesVersion: "v1.35.0",
      operatorCidrs: ["203.0.113.7/32"],
      network: { zones: ["eu-central-1a"], zone: "eu-central-1a" },
      controlPlane: { instanceTyp: "m7i.large", machineCont: 3 },
      workerPools: { apps: { machineCount: 1, instancType: UNKNOWN } },
      addOns: { ebsCsi: { extraArg: {} }, metricsServer: ["on"], cloudController: true },
      firewall: { extraRules: { admin: { ports: { form: 1, to: 2 }, ...rule } } },
    };
    expect(problems("TalosCluster", cluster).sort()).toEqual([
      'addOns.ebsCsi.extraArg: there is no such argument: did you mean "extraArgs"?',
      'addOns.metricsServer: it must be true or false, or a mapping, as in {version: "v0.8.1"}, not a list',
      'controlPlane.instanceTyp: there is no such argument: did you mean "instanceType"?',
      'controlPlane.machineCont: there is no such argument: did you mean "machineCount"?',
      'firewall.extraRules.admin.ports.form: there is no such argument: did you mean "from"?',
      "firewall.extraRules.admin.ports.from: it is missing: it must be a whole number",
      'network.zone: there is no such argument: did you mean "zones"?',
      'workerPools.apps.instancType: there is no such argument: did you mean "instanceType"?',
    ]);
  });

  it("are told with the names of a program in Python", () => {
    const args = { controlPlane: { machine_cont: 3 }, operatorCidrs: "0.0.0.0/0", tag: {} };
    expect(problems("TalosCluster", args, pythonName)).toEqual(
      expect.arrayContaining([
        'control_plane.machine_cont: there is no such argument: did you mean "machine_count"?',
        'operator_cidrs: it must be a list of texts, as in ["203.0.113.7/32"], not a text',
        'tag: there is no such argument: did you mean "tags"?',
        'version_contract: it is missing: it must be a text, as in "v1.14"',
      ]),
    );
  });

  it("may have any key where the schema has a map, or anything", () => {
    const free = {
      tags: { any_key: "a" },
      patches: [{ machine: { any_key: {} } }],
      workerPools: { any_pool: { labels: { any_key: "a" } } },
      addOns: { ebsCsi: { extraArgs: { any_key: ["a"] } } },
    };
    expect(problems("TalosCluster", free).filter((line) => line.includes("any_"))).toEqual([]);
  });

  it("may be numbers where a map has texts, and anything in patches", () => {
    const sysctls = (value: unknown) =>
      problems("MachineConfiguration", {
        sysctls: { "vm.swappiness": value },
        patches: [{}, "a"],
      }).filter((line) => /sysctls|patches/.test(line));
    expect(sysctls(10)).toEqual([]);
    expect(sysctls([10])).toEqual(['sysctls["vm.swappiness"]: it must be a text, not a list']);
  });

  it("are judged for functions too", () => {
    expect(checkFunctionArguments("talos-aws:index:getVersion", { nodee: "10.0.0.4" })).toEqual([
      { property: "nodee", reason: 'there is no such argument: did you mean "node"?' },
      { property: "credentials", reason: "it is missing: it must be a mapping" },
      { property: "node", reason: "it is missing: it must be a text" },
    ]);
    expect(checkFunctionArguments("talos-aws:index:getVersion", machine)).toEqual([]);
  });
});
