import { setImmediate, setTimeout as delay } from "node:timers/promises";
import type { MachineServiceHandlers } from "../../../provider/api/gen/machine/MachineService";
import type { TalosClient } from "../../../provider/api/talosClient";
import { failureOf, useClientBench } from "./clientBench";

const { connectTo, connectToMachine, startNode } = useClientBench();

describe("calls", () => {
  it("end at their deadline", async () => {
    let deadlineMs = Infinity;
    const client = await connectToMachine({
      EtcdMemberList: (call) => {
        deadlineMs = Number(call.getDeadline()) - Date.now();
      },
    });
    const error = await failureOf(client.etcdMembers({ timeoutMs: 2_000 }));
    expect(error).toMatchObject({ code: "deadlineExceeded", grpcCode: 4 });
    expect(error.message).toContain("EtcdMemberList within 2 s");
    expect(deadlineMs).toBeLessThanOrEqual(2_000);
  });

  it("have a deadline of 15 s by default", async () => {
    let deadlineMs = 0;
    const client = await connectToMachine({
      Version: (call, callback) => {
        deadlineMs = Number(call.getDeadline()) - Date.now();
        callback(null, { messages: [{}] });
      },
    });
    await client.version();
    expect(deadlineMs).toBeGreaterThan(10_000);
    expect(deadlineMs).toBeLessThan(15_100);
  });

  it.each(["unary", "stream"])("can be cancelled: %s", async (kind) => {
    const controller = new AbortController();
    const client = await connectToMachine({
      Version: () => controller.abort(),
      Kubeconfig: (call) => {
        call.write({ bytes: Buffer.of(1) });
        controller.abort();
      },
    });
    const { signal } = controller;
    const call = kind === "unary" ? client.version({ signal }) : client.kubeconfig({ signal });
    expect((await failureOf(call)).code).toBe("cancelled");
  });

  it("do not begin once they are cancelled or the client is closed", async () => {
    let calls = 0;
    const client = await connectToMachine({
      Version: (_, callback) => {
        calls += 1;
        callback(null, { messages: [{}] });
      },
    });
    const given = client.version({ signal: AbortSignal.abort() });
    expect((await failureOf(given)).code).toBe("cancelled");
    client.close();
    expect((await failureOf(client.version())).code).toBe("cancelled");
    expect(calls).toBe(0);
  });

  it("can be cancelled at any moment between dialling and sending", async () => {
    // The first call has it connect; of the others nobody answers.
    let calls = 0;
    const client = await connectToMachine({
      Version: (_, callback) => {
        if (++calls === 1) {
          callback(null, { messages: [{}] });
        }
      },
    });
    await client.version();
    for (let turns = 0; turns < 20; turns++) {
      const controller = new AbortController();
      const failure = failureOf(client.version({ signal: controller.signal, timeoutMs: 60_000 }));
      for (let turn = 0; turn < turns; turn++) {
        await Promise.resolve();
      }
      controller.abort();
      expect([turns, (await failure).code]).toEqual([turns, "cancelled"]);
    }
  });

  it("that run when the client is closed fail as cancelled", async () => {
    const client: TalosClient = await connectToMachine({ Version: () => client.close() });
    expect((await failureOf(client.version())).code).toBe("cancelled");
  });

  it("reach a node again as soon as it is back", async () => {
    const version: MachineServiceHandlers["Version"] = (_, callback) =>
      callback(null, { messages: [{ version: { tag: "v1.12.1" } }] });
    const node = await startNode({ machine: { Version: version } });
    const client = connectTo(node);
    await client.version();
    node.cut();
    while (node.openConnections() > 0) {
      await delay(10);
    }
    await delay(50);
    // Where the processor was busy until now, a timer comes before the news that the connection is gone.
    await setImmediate();
    expect((await client.version()).tag).toBe("v1.12.1");
  });
});

describe("connections", () => {
  it("are shared by clients with the same endpoint and credentials", async () => {
    const node = await startNode({
      machine: { Version: (_, callback) => callback(null, { messages: [{}] }) },
    });
    const clients = [connectTo(node), connectTo(node), connectTo(node)];
    await Promise.all(clients.map((client) => client.version()));
    expect(node.openConnections()).toBe(1);
  });
});
