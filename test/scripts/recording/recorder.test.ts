import { Recorder } from "../../conformance/support/recording/recorder";
import type { Recording } from "../../conformance/support/recording/recording";

const older: Recording = {
  oracles: "old",
  inputs: new Map([["secrets bundle", "old bundle"]]),
  answers: [
    {
      minor: "v1.12",
      request: { do: "secrets", versionContract: "v1.12" },
      answer: { result: "old secrets" },
    },
    { minor: "v1.12", request: { do: "encode", config: "a" }, answer: { result: "old" } },
  ],
};

const says = (result: string) => () => Promise.resolve({ result });

test("secrets are kept from the older recording", async () => {
  const recorder = new Recorder(older);
  const request = { do: "secrets", versionContract: "v1.12" };
  expect(await recorder.ask("v1.12", request, says("new"))).toEqual({ result: "old secrets" });
  expect(await recorder.secretInput("secrets bundle", () => Promise.resolve("new"))).toBe(
    "old bundle",
  );
});

test("missing secrets are generated and recorded", async () => {
  const recorder = new Recorder(older);
  const request = { do: "secrets", versionContract: "v1.13" };
  await recorder.ask("v1.12", request, says("new"));
  expect(recorder.recording("now").answers).toEqual([
    { minor: "v1.12", request, answer: { result: "new" } },
  ]);
});

test("all other answers are new, and each request is recorded once", async () => {
  const recorder = new Recorder(older);
  const request = { do: "encode", config: "a" };
  await recorder.ask("v1.12", request, says("new"));
  await recorder.ask("v1.12", request, says("new"));
  expect(recorder.recording("now").answers).toEqual([
    { minor: "v1.12", request, answer: { result: "new" } },
  ]);
});

test("mirrors, which Talos generates in random order, are recorded in one order", async () => {
  const mirror = (name: string) =>
    `apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: ${name}\n`;
  const config = (...names: string[]) =>
    ["version: v1alpha1\n", ...names.map(mirror), "kind: HostnameConfig\n"].join("---\n");
  const request = { do: "generate" };
  const [one, two] = await Promise.all(
    [config("a", "b"), config("b", "a")].map((result) =>
      new Recorder(undefined).ask("v1.12", request, says(result)),
    ),
  );
  expect(one).toEqual({ result: config("a", "b") });
  expect(two).toEqual(one);
});

test("the order of a patched configuration is that of the answer", async () => {
  const config = ["kind: RegistryMirrorConfig\nname: b\n", "kind: RegistryMirrorConfig\nname: a\n"];
  const answer = await new Recorder(undefined).ask(
    "v1.12",
    { do: "patch" },
    says(config.join("---\n")),
  );
  expect(answer).toEqual({ result: config.join("---\n") });
});

test("the resource that Talos names at random in an error is normalised", async () => {
  const refusals = ["a", "b"].map((name) => ({
    refused: `v1alpha1.Config: unsupported pod resource "${name}"`,
    panicked: true,
  }));
  const [one, two] = await Promise.all(
    refusals.map((refusal) =>
      new Recorder(undefined).ask("v1.13", { do: "validate" }, () => Promise.resolve(refusal)),
    ),
  );
  expect(one).toEqual({
    refused: 'v1alpha1.Config: unsupported pod resource "…"',
    panicked: true,
  });
  expect(two).toEqual(one);
});

test("an input is recorded in the form in which it is read back", () => {
  const recorder = new Recorder(undefined);
  expect(recorder.input("options", { left: undefined, kept: 1 })).toEqual({ kept: 1 });
});
