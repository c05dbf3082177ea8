import { checkArguments, checkFunctionArguments } from "../../plugin/checkArguments";
import { UNKNOWN } from "../../provider/unknown";

const problems = (kind: string, args: Record<string, unknown>) =>
  checkArguments(`talos-aws:index:${kind}`, args).map(
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
      "node: it is missing",
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
      "controlPlaneNodes: it has to be a list, not a text",
      "credentials.ca: it has to be a text, not a list",
      "credentials.key: it is missing",
      "timeoutSeconds: it has to be a number, not a text",
    ]);
    expect(problems("EtcdMember", { ...machine, machineId: 5, drain: true }).sort()).toEqual([
      "drain: it has to be a mapping, not true or false",
      "machineId: it has to be a text, not a number",
    ]);
    expect(problems("MachineSecrets", { versionContract: "v1.12", importedSecrets: 7 })).toEqual([
      "importedSecrets: it has to be a text, not a number",
    ]);
  });

  it("may be numbers where a map has texts, and anything in patches", () => {
    const sysctls = (value: unknown) =>
      problems("MachineConfiguration", {
        sysctls: { "vm.swappiness": value },
        patches: [{}, "a"],
      }).filter((line) => /sysctls|patches/.test(line));
    expect(sysctls(10)).toEqual([]);
    expect(sysctls([10])).toEqual(["sysctls.vm.swappiness: it has to be a text, not a list"]);
  });

  it("are judged for functions too", () => {
    expect(checkFunctionArguments("talos-aws:index:getVersion", { nodee: "10.0.0.4" })).toEqual([
      { property: "nodee", reason: 'there is no such argument: did you mean "node"?' },
      { property: "credentials", reason: "it is missing" },
      { property: "node", reason: "it is missing" },
    ]);
    expect(checkFunctionArguments("talos-aws:index:getVersion", machine)).toEqual([]);
  });
});
