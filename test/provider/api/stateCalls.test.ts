import { status } from "@grpc/grpc-js";
import { failureOf, refuse, useClientBench } from "./clientBench";

const { connectTo, startNode } = useClientBench();

describe("resources", () => {
  const resource = {
    metadata: {
      namespace: "config",
      type: "MachineConfigs.config.talos.dev",
      id: "v1alpha1",
      version: "3",
      phase: "running",
      owner: "config.AcquireController",
      labels: { a: "b" },
      created: { seconds: 1_700_000_000 },
    },
    spec: { yamlSpec: "machine: {}\n" },
  };
  const expected = {
    namespace: "config",
    type: "MachineConfigs.config.talos.dev",
    id: "v1alpha1",
    version: "3",
    phase: "running",
    owner: "config.AcquireController",
    labels: { a: "b" },
    annotations: {},
    created: "2023-11-14T22:13:20.000Z",
    updated: undefined,
    spec: "machine: {}\n",
  };
  const { namespace, type, id } = expected;

  it("gets one, and reports a missing one", async () => {
    const node = await startNode({
      state: {
        Get: ({ request }, callback) =>
          request.id === id && request.type === type && request.namespace === namespace
            ? callback(null, { resource })
            : refuse(callback, status.NOT_FOUND, "resource doesn't exist"),
      },
    });
    const client = connectTo(node);
    expect(await client.getResource({ namespace, type, id })).toEqual(expected);
    const missing = client.getResource({ namespace, type, id: "other" });
    expect((await failureOf(missing)).code).toBe("notFound");
  });

  it("lists all, also if there are none", async () => {
    const node = await startNode({
      state: {
        List: (call) => {
          if (call.request.namespace === namespace) {
            for (const name of ["a", "b"]) {
              call.write({
                resource: { ...resource, metadata: { ...resource.metadata, id: name } },
              });
            }
          }
          call.end();
        },
      },
    });
    const client = connectTo(node);
    expect(await client.listResources({ namespace, type })).toEqual([
      { ...expected, id: "a" },
      { ...expected, id: "b" },
    ]);
    expect(await client.listResources({ namespace: "other", type })).toEqual([]);
  });
});
