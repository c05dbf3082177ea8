import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkRotation } from "../../../../provider/pki/rotation/checkRotation";
import {
  describeRotation,
  describeStep,
  labelOf,
  ROTATABLE_SECRETS,
} from "../../../../provider/pki/rotation/rotation";

describe("checkRotation", () => {
  it("accepts valid rotations", () => {
    expect(checkRotation({})).toEqual([]);
    expect(
      checkRotation({
        talosCa: { to: 2, stage: "issue" },
        kubernetesCa: { to: 7, stage: "renew" },
        serviceAccountKey: { to: 2, stage: "accept" },
      }),
    ).toEqual([]);
  });

  it.each([
    [{ talosCa: { to: 1, stage: "accept" } }, "talosCa.to", "1 is not a generation"],
    [{ talosCa: { to: 2.5, stage: "accept" } }, "talosCa.to", "2.5 is not a generation"],
    [{ talosCa: { to: 2, stage: "renew" } }, "talosCa.stage", "accept, issue, drop"],
    [{ kubernetesCa: { to: 2 } }, "kubernetesCa.stage", "accept, issue, renew, drop"],
    [{ talosCA: { to: 2, stage: "accept" } }, "talosCA", 'did you mean "talosCa"'],
    [{ constructor: { to: 2, stage: "accept" } }, "constructor", "you can rotate"],
  ])("rejects %j", (rotation, property, words) => {
    const [problem, ...more] = checkRotation(rotation);
    expect(problem?.property).toBe(property);
    expect(problem?.reason).toContain(words);
    expect(more).toEqual([]);
  });
});

describe("describeRotation", () => {
  it("describes a beginning stage, and the next one", () => {
    const issue = { talosCa: { to: 2, stage: "issue" } } as const;
    expect(describeRotation(undefined, issue)).toEqual([
      'rotation of the Talos CA to generation 2, stage "issue": the new one issues certificates, and machines still accept the old one. The next stage is "drop"',
    ]);
    expect(describeRotation(issue, issue)).toEqual([]);
    expect(describeRotation({ talosCa: { to: 2, stage: "accept" } }, undefined)).toEqual([
      "rotation of the Talos CA is reverted: machines no longer accept the new one",
    ]);
  });
});

describe("describeStep", () => {
  it("gives the texts in docs/rotation.md", () => {
    const page = readFileSync(join(__dirname, "../../../../docs/rotation.md"), "utf8");
    for (const secret of ["talosCa", "etcdCa"] as const) {
      expect(page).toContain(`${describeStep(secret, { to: 2, stage: "accept" })}\n`);
    }
    for (const secret of ROTATABLE_SECRETS) {
      expect(page).toContain(`| \`${secret}\``);
    }
  });

  it.each([
    ["etcdCa", "accept", "reboot one after another, and etcd accepts the new one"],
    ["secretboxKey", "drop", "every Secret is written again; then API servers read only Secrets"],
    [
      "secretboxKey",
      "drop",
      "Up to Talos v1.13, control plane machines reboot one after another for it. This is",
    ],
    ["secretboxKey", "issue", "still read Secrets of the old one. The next stage"],
    [
      "serviceAccountKey",
      "drop",
      "It begins only when the kubelets have renewed the tokens of all pods",
    ],
    ["bootstrapToken", "issue", "kubelets use the new one"],
    ["trustdToken", "accept", "Up to Talos v1.13, the first control plane machine reboots for it"],
    ["trustdToken", "issue", "Up to Talos v1.13, workers reboot for it"],
    ["aggregatorCa", "drop", "API servers refuse requests of the old one. This is"],
    ["kubernetesCa", "renew", "their kubelets get new certificates"],
  ] as const)("describes for %s the stage %s", (secret, stage, words) => {
    expect(describeStep(secret, { to: 2, stage })).toContain(words);
  });
});

describe("labelOf", () => {
  it("distinguishes stages of the given CAs", () => {
    const rotation = { talosCa: { to: 2, stage: "issue" } } as const;
    expect(labelOf(rotation, ["talosCa"])).toBe("talosCa 2 issue");
    expect(labelOf(rotation, ["kubernetesCa"])).toBeUndefined();
  });
});
