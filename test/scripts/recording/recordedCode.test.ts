import fc from "fast-check";
import { RecordedCode } from "../../conformance/support/recordedCode";
import type { Recording } from "../../conformance/support/recording/recording";

const config = (kubelet: string) => `version: v1alpha1\nmachine:\n  kubelet: ${kubelet}\n`;

const recording: Recording = {
  oracles: "0123456789ab",
  inputs: new Map([["numbers", [1, 2, 3]]]),
  answers: [
    {
      minor: "v1.12",
      request: { do: "validate", config: "version: v1alpha1\ncluster: {}\n", strict: true },
      answer: { result: ["far"] },
    },
    {
      minor: "v1.12",
      request: { do: "validate", config: config("one"), strict: true },
      answer: { result: ["near"] },
    },
    {
      minor: "v1.13",
      request: { do: "validate", config: config("one"), strict: true },
      answer: { refused: "no" },
    },
  ],
};

const code = new RecordedCode(() => recording);
const numbers = {
  name: "numbers",
  arbitrary: fc.integer(),
  count: 3,
  variable: "TALOS_UNUSED_RUNS",
};

/** What a check of inputs throws. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => "none",
    (error: unknown) => String(error),
  );
  return outcome;
}

describe("a recorded request", () => {
  test("has the answer of the requested Talos minor", async () => {
    const request = { do: "validate", config: config("one"), strict: true };
    expect(await code.ask("v1.12", request)).toEqual({ result: ["near"] });
    expect(await code.ask("v1.13", request)).toEqual({ refused: "no" });
  });

  test("is found with its members in another order", async () => {
    const request = { strict: true, config: config("one"), do: "validate" };
    expect(await code.ask("v1.12", request)).toEqual({ result: ["near"] });
  });
});

describe("a request that is not recorded", () => {
  const other = { do: "validate", config: config("two"), strict: true };

  test("fails with the command that records it", async () => {
    await expect(code.ask("v1.12", other)).rejects.toThrow(
      /^Not recorded: .*Talos v1\.12[^]*--record/,
    );
  });

  test("fails with the differences to the most similar one", async () => {
    await expect(code.ask("v1.12", other)).rejects.toThrow(
      /- ours {5}kubelet: two[^]*\+ theirs {3}kubelet: one/,
    );
  });

  test.each([
    ["of another minor", "v1.10", { ...other, config: config("one") }],
    ["of another action", "v1.12", { do: "encode", config: config("one") }],
    ["with other options", "v1.12", { ...other, config: config("one"), strict: false }],
  ] as const)("fails if it is one %s", async (_, minor, request) => {
    await expect(code.ask(minor, request)).rejects.toThrow("Not recorded");
  });
});

describe("recorded inputs", () => {
  test("are all checked, whatever would be generated now", async () => {
    const seen: number[] = [];
    const count = await code.eachInput(numbers, (input) => {
      seen.push(input);
      return Promise.resolve();
    });
    expect(seen).toEqual([1, 2, 3]);
    expect(count).toBe(3);
  });

  test("fail with the number of failures, and the first one", async () => {
    const work = code.eachInput(numbers, (input) =>
      input > 1 ? Promise.reject(new Error(`${input} is too large`)) : Promise.resolve(),
    );
    const failure = await failureOf(work);
    expect(failure).toMatch(/2 of 3 recorded inputs \(numbers\) fail, the first:\n2 is too large/);
    expect(failure).toMatch(/Input 2: 2$/);
  });

  test("fail if more are requested than recorded", async () => {
    const work = code.eachInput({ ...numbers, count: 4 }, () => Promise.resolve());
    expect(await failureOf(work)).toMatch(/4 of numbers are to be recorded, and 3 are.*--record/);
  });

  test("fail if none has that name", async () => {
    const work = code.eachInput({ ...numbers, name: "letters" }, () => Promise.resolve());
    expect(await failureOf(work)).toMatch(/Not recorded: letters.*--record/);
  });
});
