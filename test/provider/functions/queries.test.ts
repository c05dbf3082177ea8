import { setTimeout as delay } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { getDisks, getDisksOutput } from "../../../provider/functions/getDisks";
import { getMembers } from "../../../provider/functions/getMembers";
import { getResources } from "../../../provider/functions/getResources";
import { getServices } from "../../../provider/functions/getServices";
import { getVersion, getVersionOutput } from "../../../provider/functions/getVersion";
import type { MachineQueryArgs } from "../../../provider/functions/machineQuery";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { startSilentServer, type TestNode } from "../api/testNode";
import { machineAt } from "../lifecycle/deliveries";

let cluster: SimulatedCluster;
let controlPlane: SimulatedNode;
let worker: SimulatedNode;
let args: MachineQueryArgs;
let silent: TestNode;

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
  controlPlane = await cluster.add(cluster.config("controlplane"));
  worker = await cluster.add(cluster.config("worker"));
  args = await machineAt(cluster, controlPlane.address);
  silent = await startSilentServer();
  await pulumi.runtime.setMocks(
    {
      newResource: () => ({ id: "", state: {} }),
      call: () => ({}),
    },
    "project",
    "stack",
    true,
  );
});
afterAll(async () => {
  await silent.stop();
  await cluster.stop();
});

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}

describe("queries of a machine", () => {
  it("getVersion", async () => {
    expect(await getVersion(args)).toMatchObject({ tag: "v1.12.1", platform: "aws" });
  });

  it("getServices", async () => {
    const ids = (await getServices(args)).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["apid", "etcd", "kubelet"]));
  });

  it("getDisks", async () => {
    const system = (await getDisks(args)).filter(({ isSystemDisk }) => isSystemDisk);
    expect(system).toHaveLength(1);
    expect(system[0]?.sizeBytes).toBeGreaterThan(1e9);
  });

  it("getDisks, also of a machine in maintenance mode, but of no other without a certificate", async () => {
    const { address } = await cluster.add();
    const query = { node: address, maintenance: true, timeoutSeconds: 5 } as const;
    expect(await getDisks(query)).toEqual(await getDisks(args));
    expect(await valueOf(getDisksOutput(query))).toHaveLength(1);
    await expect(getDisks({ ...query, node: worker.address })).rejects.toMatchObject({
      code: "alreadyConfigured",
    });
  });

  it("getMembers", async () => {
    const members = await getMembers(args);
    expect(members.map(({ nodeType }) => nodeType).sort()).toEqual(["controlplane", "worker"]);
  });

  it("getResources", async () => {
    const [status] = await getResources({
      ...args,
      namespace: "runtime",
      type: "MachineStatuses.runtime.talos.dev",
    });
    expect(status).toMatchObject({ id: "machine" });
    expect(status?.spec).toMatch(/^stage: /);
  });

  it("ask another machine through the endpoint", async () => {
    const services = await getServices({ ...args, node: worker.address });
    expect(services.map(({ id }) => id)).not.toContain("etcd");
  });

  it("report at the deadline why a machine did not answer", async () => {
    const unanswered = getVersion({
      ...args,
      node: silent.endpoint.replace(/:.*/, ""),
      endpoint: silent.endpoint,
      timeoutSeconds: 3,
    });
    await expect(unanswered).rejects.toThrow(
      /^gave up waiting for machine 127\.0\.0\.1 to report its version after \d+ s; last seen: .* TLS handshake/,
    );
  });
});

describe("queries as outputs", () => {
  it("are made in a preview when all inputs are known, and keep secrets", async () => {
    const output = getVersionOutput({ ...args, credentials: pulumi.secret(args.credentials) });
    expect(await valueOf(output)).toMatchObject({ tag: "v1.12.1" });
    expect(await pulumi.isSecret(output)).toBe(true);
  });

  it("contact nothing while an input is unknown", async () => {
    const before = silent.bytesReceived();
    const { endpoint } = silent;
    const node = pulumi.output(pulumi.unknown).apply(String);
    getVersionOutput({ ...args, endpoint, node });
    await delay(200);
    expect(silent.bytesReceived()).toBe(before);
    const answer = getVersion({ ...args, endpoint, timeoutSeconds: 3 });
    await expect(answer).rejects.toThrow("gave up");
    expect(silent.bytesReceived()).toBeGreaterThan(before);
  });
});
