import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import type { MachineServiceHandlers } from "../../../provider/api/gen/machine/MachineService";
import { failureOf, refuse, useClientBench } from "./clientBench";
import { startSilentServer, type TestNode } from "./testNode";

const { connectTo, startNode } = useClientBench();

function answering(tag: string, calls: string[]): MachineServiceHandlers["Version"] {
  return (_, callback) => {
    calls.push(tag);
    callback(null, { messages: [{ version: { tag } }] });
  };
}

/** Where nothing listens any more. */
async function closedNode(): Promise<TestNode> {
  const node = await startNode({});
  await node.stop();
  return node;
}

describe("several endpoints", () => {
  it("are tried in order; the one that answered comes first next time", async () => {
    const calls: string[] = [];
    const closed = await closedNode();
    const second = await startNode({ machine: { Version: answering("second", calls) } });
    const third = await startNode({ machine: { Version: answering("third", calls) } });
    const endpoints = [second.endpoint, third.endpoint];
    const client = connectTo(closed, { endpoints });
    expect((await client.version()).tag).toBe("second");
    await second.stop();
    // Until this side has seen the end of the connection, a call goes out on it and is lost.
    await delay(50);
    await setImmediate();
    expect((await client.version()).tag).toBe("third");
    expect((await client.version()).tag).toBe("third");
    expect(calls).toEqual(["second", "third", "third"]);
  });

  it("are skipped while they are silent, within the call's deadline", async () => {
    const silent = await startSilentServer();
    try {
      const node = await startNode({ machine: { Version: answering("node", []) } });
      const client = connectTo(silent, { endpoints: [node.endpoint] });
      expect((await client.version({ timeoutMs: 4_000 })).tag).toBe("node");
    } finally {
      await silent.stop();
    }
  });

  it("are not tried after an endpoint received the call", async () => {
    let count = 0;
    const first = await startNode({
      machine: {
        Bootstrap: () => {
          count += 1;
          first.cut();
        },
        Version: (_, callback) => refuse(callback, status.UNAVAILABLE, "dial tcp: i/o timeout"),
      },
    });
    const second = await startNode({
      machine: {
        Bootstrap: (_, callback) => {
          count += 1;
          callback(null, { messages: [{}] });
        },
        Version: answering("second", []),
      },
    });
    const client = connectTo(first, { endpoints: [second.endpoint] });
    expect(await failureOf(client.bootstrap())).toMatchObject({
      code: "unreachable",
      mayHaveArrived: true,
    });
    expect(count).toBe(1);
    expect(
      (await failureOf(connectTo(first, { endpoints: [second.endpoint] }).version())).code,
    ).toBe("unreachable");
  });

  it("are all named if none answers", async () => {
    const [first, second] = [await closedNode(), await closedNode()];
    const client = connectTo(first, { endpoints: [second.endpoint], node: "10.0.0.9" });
    const error = await failureOf(client.bootstrap());
    expect(error).toMatchObject({ code: "unreachable", mayHaveArrived: false });
    expect(error.message).toContain('Talos node "10.0.0.9" could not be asked, because none of 2');
    expect(error.message).toContain(first.endpoint);
    expect(error.message).toContain(second.endpoint);
  });
});
