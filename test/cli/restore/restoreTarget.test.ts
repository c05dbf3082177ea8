import type { Deployment } from "@pulumi/pulumi/automation";
import { restoreTarget } from "../../../cli/restore/restoreTarget";
import type { HandlerName } from "../../../provider/engine/dynamicStub";
import { dynamicType, pluginType } from "../../../provider/engine/talosTypes";

const CLUSTER = "urn:pulumi:prod::shop::talos-aws:index:TalosCluster";
const parent = `${CLUSTER}::prod`;
const credentials = { ca: "ca", crt: "crt", key: "key" };

function exported(...resources: object[]): Deployment {
  return { version: 3, deployment: { resources } };
}

describe.each([
  ["dynamic resources", dynamicType],
  ["the plugin's resources", pluginType],
])("the cluster to restore, of %s", (_, typeOf) => {
  const resource = (kind: HandlerName, name: string, outputs: object, inputs: object = {}) => ({
    urn: `${CLUSTER}$${typeOf(kind)}::${name}`,
    type: typeOf(kind),
    id: name,
    custom: true,
    parent,
    inputs,
    outputs,
  });
  const member = (name: string, node: string, of = credentials) =>
    resource("EtcdMember", name, { machineId: `i-${name}`, node, endpoint: node, credentials: of });

  it("has the machines of its etcd, its health and its kubeconfig", () => {
    const target = restoreTarget(
      "prod",
      exported(
        resource("MachineBootstrap", "prod-bootstrap", {}, { node: "10.0.0.1", credentials }),
        member("cp-1", "10.0.0.1"),
        member("cp-2", "10.0.0.2"),
        member("other", "10.9.0.1", { ...credentials, ca: "other" }),
        resource("ClusterHealth", "prod-health", { controlPlaneNodes: ["10.0.0.1"] }),
        resource("ClusterKubeconfig", "prod-kubeconfig", {
          credentials,
          kubeconfig: { plaintext: JSON.stringify("text") },
        }),
      ),
    );
    expect(target.bootstrap).toMatch(/::prod-bootstrap$/);
    expect(target.health).toMatch(/::prod-health$/);
    expect(target.machines.map(({ name, machineId }) => [name, machineId])).toEqual([
      ["cp-1", "i-cp-1"],
      ["cp-2", "i-cp-2"],
    ]);
    expect(target.kubeconfig).toBe("text");
  });

  it("is missing before its bootstrap", () => {
    expect(() => restoreTarget("prod", exported(member("cp-1", "10.0.0.1")))).toThrow(
      'the stack "prod" has no bootstrapped cluster',
    );
  });
});
