import { EC2Client } from "@aws-sdk/client-ec2";
import { runSmoke } from "../../../scripts/smoke/runSmoke";
import { smokeCase } from "../../../scripts/smoke/smokeCase";
import { smokeReport } from "../../../scripts/smoke/smokeReport";
import type { SmokeStep, SmokeWorld } from "../../../scripts/smoke/smokeStep";

const head = {
  stack: "sandbox",
  region: "us-east-1",
  versions: { Talos: "v1.12.1" },
  at: new Date(0),
};

describe("a smoke test", () => {
  it("reports each step with the expectation, the result, and the duration", async () => {
    const { results } = await run([step("Up", () => Promise.resolve("no | change"))], []);
    expect(smokeReport(head, results)).toBe(
      [
        "# Smoke test of sandbox: passed",
        "",
        "1970-01-01T00:00:00.000Z, us-east-1, 4 s. Talos v1.12.1.",
        "",
        "| step | done | expected | outcome | seen | time |",
        "| ---- | ---- | -------- | ------- | ---- | ---- |",
        "| Up | Up is done. | Up is well. | ok | no \\| change | 2 s |",
        "| Destroy | Everything is destroyed. | AWS has nothing left by this stack's tags and names. | ok | nothing is left | 2 s |",
        "",
      ].join("\n"),
    );
  });

  it("stops at a failed step, and still destroys everything", async () => {
    const { results, destroyed } = await run(
      [
        step("Up", () => Promise.reject(new Error("stderr:\nerror: no such zone\n more"))),
        step("Later", () => Promise.resolve("never")),
      ],
      [],
    );
    expect(results.map(({ title, outcome }) => `${title} ${outcome}`)).toEqual([
      "Up failed",
      "Later not run",
      "Destroy ok",
    ]);
    expect(destroyed()).toBe(1);
    expect(smokeReport(head, results)).toContain('failed at "Up"');
    expect(results[0]?.seen).toBe("no such zone\n more");
  });

  it("fails if resources are left after the destruction, and names them", async () => {
    const { results } = await run([], ["elastic-ip eipalloc-1"]);
    expect(results).toMatchObject([
      { outcome: "failed", seen: "left in AWS: elastic-ip eipalloc-1" },
    ]);
  });

  it("requires a sandbox whose name clients can resolve", () => {
    const settings = "config: {aws:region: eu-west-1, talos-aws:network: {zones: [eu-west-1a]}}";
    expect(smokeCase("sandbox", settings)).toMatchObject({
      cluster: "sandbox",
      region: "eu-west-1",
      zones: ["eu-west-1a"],
    });
    expect(() => smokeCase("production", settings)).toThrow(`"production" can't be tried`);
    const makesZone = "config: {talos-aws:dns: {createZone: true}}";
    expect(() => smokeCase("sandbox", makesZone)).toThrow(/createZone is on[^]*must name one zone/);
  });
});

function step(title: string, act: () => Promise<string>): SmokeStep {
  return { title, done: `${title} is done.`, expected: `${title} is well.`, run: act };
}

/** Runs steps on a world that only knows what is left in it, with a clock of two seconds a look. */
async function run(steps: readonly SmokeStep[], left: readonly string[]) {
  let destructions = 0;
  const unused = () => Promise.reject(new Error("no step asks for this"));
  const world: SmokeWorld = {
    ec2: new EC2Client({ region: "us-east-1" }),
    zones: ["us-east-1a"],
    otherZone: "us-east-1b",
    open: unused,
    up: unused,
    preview: unused,
    command: unused,
    instances: unused,
    destroy: () => {
      destructions += 1;
      return Promise.resolve();
    },
    leftovers: () => Promise.resolve(left),
  };
  let time = 0;
  const now = () => (time += 1_000) * 2;
  const results = await runSmoke(world, { steps, say: () => undefined, now });
  return { results, destroyed: () => destructions };
}
