import { status } from "@grpc/grpc-js";
import { failureOf, useClientBench } from "./clientBench";

const { connectToMachine } = useClientBench();

describe("a machine that is hostile", () => {
  it("can't give orders to a terminal, by a reply or by an error", async () => {
    const client = await connectToMachine({
      ServiceList: (_call, answer) => {
        const events = { events: [{ state: "Running", msg: "\u001b[2Jall is well\r" }] };
        answer(null, {
          messages: [{ services: [{ id: "etcd\u0007", state: "Running", events }] }],
        });
      },
      Version: (_call, answer) => {
        answer({ code: status.UNKNOWN, details: "\u001b]0;owned\u0007 failed" });
      },
    });
    const [service] = await client.services();
    expect(service?.id).toBe("etcd\\u0007");
    expect(service?.events[0]?.message).toBe("\\u001b[2Jall is well\\u000d");
    const failure = await failureOf(client.version());
    expect(failure.message).toContain("\\u001b]0;owned\\u0007 failed");
    expect(failure.cause.message).toContain("\\u001b]0;owned");
  });

  it("can't fill the memory with an endless reply", async () => {
    const piece = Buffer.alloc(8 * 1024 * 1024);
    let sent = 0;
    const client = await connectToMachine({
      Read: (call) => {
        const more = () => {
          while (!call.cancelled && sent < 64) {
            sent += 1;
            if (!call.write({ bytes: piece })) {
              call.once("drain", more);
              return;
            }
          }
        };
        more();
      },
    });
    const failure = await failureOf(client.readFile("/proc/version"));
    expect(failure.message).toContain("the reply has more than 64 MiB");
    expect(sent).toBeLessThan(20);
  });
});
