import { TalosClient } from "../../../provider/api/talosClient";
import { waitFor, WaitTimeoutError } from "../../../provider/api/waitFor";
import { PartialUpdateError } from "../../../provider/engine/handler";
import { warningOfSilence, wayOutOfSilence } from "../../../provider/engine/wayOutOfSilence";
import { recordedProgress } from "../progress";
import { steppingIt } from "../steppingClock";

/** What a call says of an address where nobody is. */
async function silence(): Promise<Error> {
  const client = TalosClient.connectInsecure({ endpoint: "127.0.0.1:1" });
  try {
    return await client.version({ timeoutMs: 2_000 }).then(
      () => new Error("somebody answered"),
      (error: unknown) => error as Error,
    );
  } finally {
    client.close();
  }
}

const waited = (seen: string, cause?: Error) =>
  new WaitTimeoutError("machine 127.0.0.1 to accept its configuration", seen, 600_000, { cause });

describe("the remedy for a silent machine", () => {
  it("is a refresh if a machine did not answer until the deadline", async () => {
    const error = await silence();
    const partial = new PartialUpdateError("not well", "id", {}, { cause: waited("x", error) });
    for (const each of [
      error,
      waited(error.message, error),
      // Of several machines, as the look of a whole cluster has them.
      waited(`etcd is Running; ${error.message}`),
      new Error("the change failed", { cause: waited("", error) }),
      partial,
    ]) {
      expect(wayOutOfSilence(each)).toContain("run the command again with --refresh");
    }
  });

  it("is another order if a gate has waited for a lost member of etcd", () => {
    const seen = "the etcd member 10.0.1.3 doesn't answer";
    expect(wayOutOfSilence(waited(seen))).toContain(
      'set this change back, run "pulumi up --refresh", then make the change again',
    );
  });

  it.each([
    ["a machine that answers, and isn't well", waited("kubelet is not healthy: Unknown")],
    ["a refusal", new Error("the image doesn't exist")],
    ["something that isn't an error", "text"],
  ])("is not given for %s", (_, error) => {
    expect(wayOutOfSilence(error)).toBeUndefined();
  });
});

describe("a wait for a silent machine", () => {
  const wait = async (seconds: number, look: () => Promise<string>) => {
    const recorded = recordedProgress();
    const { report } = warningOfSilence(recorded);
    await waitFor<undefined>({
      what: "machine 127.0.0.1 to be well",
      deadlineMs: seconds * 1_000,
      intervalMs: 5_000,
      report,
      probe: async () => ({ done: false, status: await look() }),
    }).catch(() => undefined);
    return recorded;
  };

  steppingIt("warns once, after three minutes, and says what to do", async () => {
    const { message } = await silence();
    const { lines, warnings } = await wait(600, () => Promise.resolve(message));
    expect(lines.length).toBeGreaterThan(10);
    expect(warnings).toEqual([expect.stringContaining("run the command again with --refresh")]);
  });

  steppingIt("does not warn about a machine that answers or restarts in between", async () => {
    const { message } = await silence();
    let look = 0;
    const now = () => Promise.resolve((look += 1) % 20 < 10 ? message : "kubelet is not healthy");
    expect((await wait(600, now)).warnings).toEqual([]);
    expect((await wait(120, () => Promise.resolve(message))).warnings).toEqual([]);
  });
});
