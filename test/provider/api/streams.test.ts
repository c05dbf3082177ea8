import { once } from "node:events";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import { failureOf, useClientBench } from "./clientBench";

const { connectTo, connectToMachine, startNode } = useClientBench();

async function collect<T>(items: AsyncIterable<T>, count = Infinity): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= count) {
      break;
    }
  }
  return taken;
}

describe("events", () => {
  it("are read by type, after a first message without one", async () => {
    const { ServiceStateEvent, SequenceEvent } = protocol.machine;
    const any = (name: string, value: Buffer) => ({
      type_url: `talos/runtime/machine.${name}`,
      value,
    });
    let request: unknown;
    const client = await connectToMachine({
      Events: (call) => {
        request = call.request;
        call.write({ id: "0" });
        const state = {
          service: "etcd",
          action: "RUNNING",
          message: "up",
          health: { healthy: true },
        } as const;
        call.write({ id: "1", data: any("ServiceStateEvent", ServiceStateEvent.serialize(state)) });
        const sequence = { sequence: "boot", action: "STOP" } as const;
        call.write({
          id: "2",
          actorId: "me",
          data: any("SequenceEvent", SequenceEvent.serialize(sequence)),
        });
        call.write({ id: "3", data: any("NewEvent", Buffer.of(1)) });
        call.end();
      },
    });
    expect(await collect(client.events({ tailEvents: 3, actorId: "me" }))).toEqual([
      {
        id: "1",
        actorId: "",
        payload: {
          kind: "serviceState",
          service: "etcd",
          state: "RUNNING",
          message: "up",
          healthy: true,
        },
      },
      {
        id: "2",
        actorId: "me",
        payload: { kind: "sequence", sequence: "boot", action: "STOP", error: "" },
      },
      { id: "3", actorId: "", payload: { kind: "other", type: "talos/runtime/machine.NewEvent" } },
    ]);
    expect(request).toMatchObject({ tailEvents: 3, withActorId: "me" });
  });
});

describe("streams", () => {
  it("send a megabyte without waiting for acknowledgements, as one of many on a slow connection", async () => {
    const line = "x".repeat(64 * 1024);
    const node = await startNode({
      machine: {
        Logs: (call) => {
          node.holdBack();
          for (let count = 0; count < 16; count += 1) {
            call.write({ bytes: Buffer.from(`${line}\n`) });
          }
          call.end();
        },
      },
    });
    expect(await collect(connectTo(node).logs({ id: "x" }))).toEqual(Array(16).fill(line));
  });

  it("end on the node when their reader stops", async () => {
    let cancelled: Promise<unknown> | undefined;
    const client = await connectToMachine({
      Logs: (call) => {
        cancelled = once(call, "cancelled");
        for (let line = 0; line < 5; line += 1) {
          call.write({ bytes: Buffer.from(`line ${line}\n`) });
        }
      },
    });
    expect(await collect(client.logs({ id: "x", follow: true }), 2)).toEqual(["line 0", "line 1"]);
    await expect(cancelled).resolves.toBeDefined();
  });

  it("have only a given deadline while they are followed", async () => {
    let deadline: unknown;
    const client = await connectToMachine({
      Logs: (call) => {
        deadline = call.getDeadline();
        call.write({ bytes: Buffer.from("a\n") });
      },
    });
    await collect(client.logs({ id: "x", follow: true }), 1);
    expect(deadline).toBe(Infinity);
    const limited = collect(client.logs({ id: "x", follow: true }, { timeoutMs: 200 }));
    expect((await failureOf(limited)).code).toBe("deadlineExceeded");
  });

  it("fail when the node stops", async () => {
    const node = await startNode({
      machine: { Logs: (call) => call.write({ bytes: Buffer.from("a") }, () => node.cut()) },
    });
    expect((await failureOf(collect(connectTo(node).logs({ id: "x", follow: true })))).code).toBe(
      "unreachable",
    );
  });
});

describe("snapshots of etcd", () => {
  it("arrive in chunks, and are sent in chunks that the API accepts", async () => {
    const sizes: number[] = [];
    const client = await connectToMachine({
      EtcdSnapshot: (call) => {
        for (const text of ["ab", "c"]) {
          call.write({ bytes: Buffer.from(text) });
        }
        call.end();
      },
      EtcdRecover: (call, callback) => {
        call.on("data", ({ bytes }: { bytes: Buffer }) => sizes.push(bytes.length));
        call.on("end", () => callback(null, { messages: [{}] }));
      },
    });
    expect(Buffer.concat(await collect(client.etcdSnapshot())).toString()).toBe("abc");
    await client.etcdRecover(Readable.from([Buffer.alloc(100_000), Buffer.alloc(1)]));
    expect(sizes).toEqual([65_536, 34_464, 1]);
  });

  it("are aborted if their source fails or the node rejects them", async () => {
    const client = await connectToMachine({
      EtcdRecover: (call, callback) => {
        call.resume();
        call.on("data", () => callback({ code: status.FAILED_PRECONDITION, details: "not yet" }));
      },
    });
    const endless = async function* () {
      for (;;) {
        await delay(1);
        yield Buffer.alloc(100);
      }
    };
    expect((await failureOf(client.etcdRecover(endless()))).code).toBe("failedPrecondition");
    const broken = async function* () {
      yield await Promise.resolve(Buffer.alloc(0));
      throw new Error("the disk is gone");
    };
    await expect(client.etcdRecover(broken())).rejects.toThrow("the disk is gone");
  });
});
