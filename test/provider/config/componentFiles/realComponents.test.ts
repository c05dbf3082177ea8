import { expect, it } from "vitest";
import { realRefusals } from "./realComponents";

/** A folder with real components; the test of the recorded words needs none. */
const programs = process.env.KUBERNETES_PROGRAMS;

it.runIf(programs !== undefined)(
  "real components print what is recorded",
  { timeout: 900_000 },
  async () => {
    const words = await realRefusals(programs ?? "");
    // `vitest -u` records it.
    await expect(`${JSON.stringify(words, undefined, 2)}\n`).toMatchFileSnapshot(
      "testdata/refusals.json",
    );
  },
);
