import fc from "fast-check";
import { generationsOf, planAuthority } from "../../../../provider/pki/rotation/planAuthority";
import {
  AUTHORITIES,
  type Authority,
  position,
  ROTATION_STAGES,
  type RotationStep,
  stepAt,
} from "../../../../provider/pki/rotation/rotation";

type Role = "controlplane" | "worker";

const authority = fc.constantFrom(...AUTHORITIES);
const role = fc.constantFrom<Role>("controlplane", "worker");
/** A place in the life of a cluster that is rotated up to three times. */
const place = (name: Authority) => fc.integer({ min: 0, max: 3 * ROTATION_STAGES[name].length });

/** Whether one takes what the other shows. */
const takes = (one: { issuing: number; accepted: readonly number[] }, shown: number) =>
  [one.issuing, ...one.accepted].includes(shown);

const both = fc.tuple(authority, role, role).chain(([name, first, second]) =>
  fc.record({
    name: fc.constant(name),
    at: place(name),
    first: fc.constant(first),
    second: fc.constant(second),
  }),
);

describe("planAuthority", () => {
  it("has any two machines accept each other while they go from one stage to the next", () => {
    fc.assert(
      fc.property(both, ({ name, at, first, second }) => {
        const [here, there] = [stepAt(name, at), stepAt(name, at + 1)];
        for (const [ofFirst, ofSecond] of [
          [here, here],
          [here, there],
          [there, here],
        ]) {
          const [one, other] = [
            planAuthority(name, ofFirst, first),
            planAuthority(name, ofSecond, second),
          ];
          // A kubelet's certificate is older than its machine's stage, of which the next test tells.
          expect(takes(one, other.issuing)).toBe(true);
          expect(takes(other, one.issuing)).toBe(true);
        }
      }),
    );
  });

  it("has clients of a stage accepted in it, in the one before and in the one after", () => {
    fc.assert(
      fc.property(
        authority.chain((name) => fc.tuple(fc.constant(name), place(name))),
        ([name, at]) => {
          const client = planAuthority(name, stepAt(name, at), "controlplane");
          for (const other of [at - 1, at, at + 1]) {
            const server = planAuthority(name, stepAt(name, Math.max(0, other)), "controlplane");
            expect(takes(server, client.issuing)).toBe(true);
            expect(takes(client, server.issuing)).toBe(true);
          }
        },
      ),
    );
  });

  it("has kubelets renew their certificates before any API server drops the old CA", () => {
    const stages = ROTATION_STAGES.kubernetesCa;
    /** A kubelet keeps its certificate as long as its machine accepts what issued it. */
    let certificate = 1;
    for (const stage of stages) {
      const step: RotationStep = { to: 2, stage };
      const server = planAuthority("kubernetesCa", step, "controlplane");
      expect(takes(server, certificate)).toBe(true);
      const worker = planAuthority("kubernetesCa", step, "worker");
      certificate = takes(worker, certificate) ? certificate : worker.issuing;
    }
    expect(certificate).toBe(2);
  });

  it("refuses the old one at the end, and clients of the first stage with it", () => {
    for (const name of AUTHORITIES) {
      const end = planAuthority(name, { to: 2, stage: "drop" }, "controlplane");
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
        authority.chain((name) => fc.tuple(fc.constant(name), place(name))),
        ([name, at]) => {
          expect(position(name, stepAt(name, at))).toBe(at);
        },
      ),
    );
    expect(stepAt("talosCa", 0)).toBeUndefined();
    expect(stepAt("talosCa", 4)).toEqual({ to: 3, stage: "accept" });
  });
});
