import fc from "fast-check";
import { generationsOf, planGenerations } from "../../../../provider/pki/rotation/planGenerations";
import {
  position,
  ROTATABLE_SECRETS,
  type RotatableSecret,
  ROTATION_STAGES,
  type RotationStep,
  stepAt,
} from "../../../../provider/pki/rotation/rotation";

type Role = "controlplane" | "worker";

const secret = fc.constantFrom(...ROTATABLE_SECRETS);
const role = fc.constantFrom<Role>("controlplane", "worker");
/** A place in the life of a cluster that is rotated up to three times. */
const place = (name: RotatableSecret) =>
  fc.integer({ min: 0, max: 3 * ROTATION_STAGES[name].length });

/** Whether one takes what the other shows. */
const takes = (one: { issuing: number; accepted: readonly number[] }, shown: number) =>
  [one.issuing, ...one.accepted].includes(shown);

const both = fc.tuple(secret, role, role).chain(([name, first, second]) =>
  fc.record({
    name: fc.constant(name),
    at: place(name),
    first: fc.constant(first),
    second: fc.constant(second),
  }),
);

describe("planGenerations", () => {
  it("lets any two machines accept each other between two stages", () => {
    fc.assert(
      fc.property(both, ({ name, at, first, second }) => {
        const [here, there] = [stepAt(name, at), stepAt(name, at + 1)];
        for (const [ofFirst, ofSecond] of [
          [here, here],
          [here, there],
          [there, here],
        ]) {
          const [one, other] = [
            planGenerations(name, ofFirst, first),
            planGenerations(name, ofSecond, second),
          ];
          // A kubelet's certificate is older than its machine's stage, of which the next test tells.
          expect(takes(one, other.issuing)).toBe(true);
          expect(takes(other, one.issuing)).toBe(true);
        }
      }),
    );
  });

  it("accepts a stage's clients in that stage, the one before and the one after", () => {
    fc.assert(
      fc.property(
        secret.chain((name) => fc.tuple(fc.constant(name), place(name))),
        ([name, at]) => {
          const client = planGenerations(name, stepAt(name, at), "controlplane");
          for (const other of [at - 1, at, at + 1]) {
            const server = planGenerations(name, stepAt(name, Math.max(0, other)), "controlplane");
            expect(takes(server, client.issuing)).toBe(true);
            expect(takes(client, server.issuing)).toBe(true);
          }
        },
      ),
    );
  });

  it("renews kubelets' certificates before any API server drops the old CA", () => {
    const stages = ROTATION_STAGES.kubernetesCa;
    /** A kubelet keeps its certificate as long as its machine accepts what issued it. */
    let certificate = 1;
    for (const stage of stages) {
      const step: RotationStep = { to: 2, stage };
      const server = planGenerations("kubernetesCa", step, "controlplane");
      expect(takes(server, certificate)).toBe(true);
      const worker = planGenerations("kubernetesCa", step, "worker");
      certificate = takes(worker, certificate) ? certificate : worker.issuing;
    }
    expect(certificate).toBe(2);
  });

  it("rejects the old one at the end, and clients of the first stage", () => {
    for (const name of ROTATABLE_SECRETS) {
      const end = planGenerations(name, { to: 2, stage: "drop" }, "controlplane");
      expect(end).toEqual({ issuing: 2, accepted: [] });
      expect(generationsOf(name, { to: 2, stage: "drop" })).toEqual([2]);
      expect(generationsOf(name, { to: 3, stage: "accept" })).toEqual([2, 3]);
      expect(generationsOf(name, undefined)).toEqual([1]);
    }
  });
});

describe("position and stepAt", () => {
  it("are each other's inverse, with nothing at the beginning", () => {
    fc.assert(
      fc.property(
        secret.chain((name) => fc.tuple(fc.constant(name), place(name))),
        ([name, at]) => {
          expect(position(name, stepAt(name, at))).toBe(at);
        },
      ),
    );
    expect(stepAt("talosCa", 0)).toBeUndefined();
    expect(stepAt("talosCa", 4)).toEqual({ to: 3, stage: "accept" });
  });
});
