import { TalosClient } from "../../provider/api/talosClient";
import { WaitTimeoutError } from "../../provider/api/waitFor";
import { PartialUpdateError } from "../../provider/handler";
import { wayOutOfSilence } from "../../provider/wayOutOfSilence";

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

describe("the way out of a machine's silence", () => {
  it("is a refresh, where a machine was waited for in vain", async () => {
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

  it.each([
    ["a machine that answers, and isn't well", waited("kubelet is not healthy: Unknown")],
    ["a refusal", new Error("the image doesn't exist")],
    ["something that isn't an error", "text"],
  ])("isn't told of %s", (_, error) => {
    expect(wayOutOfSilence(error)).toBeUndefined();
  });
});
