import { instanceIdOf, readNode, readNodes } from "../../../provider/kubernetes/node";

const answering = (body: unknown) => {
  const paths: string[] = [];
  return {
    paths,
    get: (path: string) => {
      paths.push(path);
      return Promise.resolve(JSON.stringify(body));
    },
  };
};

describe("a Kubernetes node", () => {
  const labels = {
    "node-role.kubernetes.io/control-plane": "",
    "topology.kubernetes.io/zone": "eu-central-1a",
  };

  it("is read from what the API server answers", async () => {
    const { get, paths } = answering({
      items: [
        {
          metadata: {
            name: "ip-10-0-1-1",
            labels,
            annotations: { "pulumi-talos-aws/cordoned": "change" },
          },
          spec: { providerID: "aws:///eu-central-1a/i-0123456789abcdef0", unschedulable: true },
          status: {
            addresses: [
              { type: "Hostname", address: "ip-10-0-1-1" },
              { type: "InternalIP", address: "10.0.1.1" },
              { type: "ExternalIP", address: "198.51.100.1" },
            ],
            conditions: [
              { type: "DiskPressure", status: "False" },
              { type: "Ready", status: "True", lastTransitionTime: "2026-11-27T15:00:00Z" },
            ],
            nodeInfo: { kubeletVersion: "v1.35.0" },
          },
        },
      ],
    });
    const [node] = await readNodes(get);
    expect(paths).toEqual(["/api/v1/nodes"]);
    expect(node).toEqual({
      name: "ip-10-0-1-1",
      addresses: ["10.0.1.1"],
      labels,
      annotations: { "pulumi-talos-aws/cordoned": "change" },
      isControlPlane: true,
      isReady: true,
      ready: { status: "True", since: new Date("2026-11-27T15:00:00Z") },
      isCordoned: true,
      kubeletVersion: "v1.35.0",
      zone: "eu-central-1a",
      providerId: "aws:///eu-central-1a/i-0123456789abcdef0",
    });
    expect(node && instanceIdOf(node)).toBe("i-0123456789abcdef0");
  });

  it("that has just registered has no more than a name", async () => {
    const { get, paths } = answering({
      metadata: { name: "w1", labels: null, annotations: null },
      status: { conditions: [{ type: "Ready", status: "Unknown" }] },
    });
    const node = await readNode(get, "w1");
    expect(paths).toEqual(["/api/v1/nodes/w1"]);
    expect(node).toMatchObject({ name: "w1", addresses: [], annotations: {}, isReady: false });
    expect(node).toMatchObject({ labels: {}, ready: undefined });
    expect(node).toMatchObject({ isControlPlane: false, isCordoned: false, kubeletVersion: "" });
    expect(instanceIdOf(node)).toBeUndefined();
  });
});
