import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { status } from "@grpc/grpc-js";
import { failureOf, refuse, useClientBench } from "./clientBench";

const { connectTo, connectToMachine, startNode } = useClientBench();

describe("applyConfiguration", () => {
  it("sends data, mode and dryRun unchanged", async () => {
    const received: unknown[] = [];
    const client = await connectToMachine({
      ApplyConfiguration: ({ request }, callback) => {
        received.push({ ...request, data: request.data.toString("utf8") });
        callback(null, { messages: [{ mode: "NO_REBOOT", warnings: ["old field"] }] });
      },
    });
    const result = await client.applyConfiguration({
      data: "machine: {} # ü",
      mode: "AUTO",
      dryRun: true,
    });
    await client.applyConfiguration({ data: "a", mode: "STAGED" });
    expect(result).toEqual({ mode: "NO_REBOOT", modeDetails: "", warnings: ["old field"] });
    expect(received).toEqual([
      { data: "machine: {} # ü", mode: "AUTO", dryRun: true, tryModeTimeout: null },
      { data: "a", mode: "STAGED", dryRun: false, tryModeTimeout: null },
    ]);
  });

  it("carries a configuration of several megabytes", async () => {
    let size = 0;
    const client = await connectToMachine({
      ApplyConfiguration: ({ request }, callback) => {
        size = request.data.length;
        callback(null, { messages: [{ mode: "REBOOT" }] });
      },
    });
    await client.applyConfiguration({ data: "#".repeat(8 * 1024 * 1024), mode: "REBOOT" });
    expect(size).toBe(8 * 1024 * 1024);
  });

  it("removes configuration that the node quotes from result and error", async () => {
    const diff = "--- a\n+++ b\n-  token: hunter2\n";
    const client = await connectToMachine({
      ApplyConfiguration: ({ request }, callback) => {
        if (request.mode === "AUTO") {
          const modeDetails = `Applied configuration with a reboot: why\ndiff:\n${diff}`;
          callback(null, { messages: [{ mode: "REBOOT", modeDetails }] });
        } else {
          refuse(callback, status.INVALID_ARGUMENT, `cannot be applied\ndiff:\n${diff}`);
        }
      },
    });
    const { modeDetails } = await client.applyConfiguration({ data: "a", mode: "AUTO" });
    expect(modeDetails).toMatch(/^Applied configuration with a reboot: why\ndiff: \(not shown/);
    const error = await failureOf(client.applyConfiguration({ data: "a", mode: "NO_REBOOT" }));
    expect(error.code).toBe("invalidArgument");
    expect(error.message).toContain("cannot be applied");
    const everything = `${String(error.stack)}${error.cause.message}${String(error.cause.stack)}${JSON.stringify(error.cause)}`;
    expect(everything).not.toContain("hunter2");
  });
});

describe("bootstrap", () => {
  it("calls once and recognises an existing etcd", async () => {
    let calls = 0;
    const client = await connectToMachine({
      Bootstrap: ({ request }, callback) => {
        calls += 1;
        expect(request.recoverEtcd).toBe(false);
        if (calls === 1) {
          callback(null, { messages: [{}] });
        } else {
          refuse(callback, status.ALREADY_EXISTS, "etcd data directory is not empty");
        }
      },
    });
    await client.bootstrap();
    const error = await failureOf(client.bootstrap());
    expect(error.code).toBe("alreadyExists");
    expect(error.message).toBe(
      'Talos node "127.0.0.1" refused machine.MachineService/Bootstrap: etcd data directory is not empty',
    );
    expect(calls).toBe(2);
  });

  it("is not repeated if the node stops during the call", async () => {
    let calls = 0;
    const node = await startNode({
      machine: {
        Bootstrap: () => {
          calls += 1;
          node.cut();
        },
      },
    });
    const error = await failureOf(connectTo(node).bootstrap());
    expect(error).toMatchObject({ code: "unreachable", grpcCode: 14 });
    await delay(100);
    expect(calls).toBe(1);
  });
});

describe("kubeconfig", () => {
  // As Talos sends it: no padding after the content, no end-of-archive blocks.
  const content = "apiVersion: v1\nkind: Config\nusers: [{name: admin}]\n";
  const header = Buffer.alloc(512);
  header.write("kubeconfig", 0);
  header.write("0000600\0", 100);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  const archive = gzipSync(Buffer.concat([header, Buffer.from(content)]));

  it("reads the archive from a stream of chunks", async () => {
    const client = await connectToMachine({
      Kubeconfig: (call) => {
        for (const byte of archive) {
          call.write({ bytes: Buffer.of(byte) });
        }
        call.end();
      },
    });
    expect(await client.kubeconfig()).toBe(content);
  });

  it("fails if the stream ends early, and if the node reports an error in it", async () => {
    const replies = [
      { bytes: archive.subarray(0, 40) },
      { metadata: { error: "rpc error: code = Unknown desc = no key", status: { code: 2 } } },
    ];
    const client = await connectToMachine({
      Kubeconfig: (call) => {
        call.write(replies.shift() ?? {});
        call.end();
      },
    });
    expect((await failureOf(client.kubeconfig())).message).toContain("not gzip data");
    expect((await failureOf(client.kubeconfig())).message).toContain(
      "refused machine.MachineService/Kubeconfig: no key",
    );
  });

  it("fails with the status that ends the stream, also after data", async () => {
    const client = await connectToMachine({
      Kubeconfig: (call) => {
        call.write({ bytes: archive });
        call.emit("error", { code: status.UNIMPLEMENTED, details: "only on control plane nodes" });
      },
    });
    expect((await failureOf(client.kubeconfig())).code).toBe("unimplemented");
  });
});
