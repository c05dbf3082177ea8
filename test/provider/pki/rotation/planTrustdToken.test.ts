import {
  planTrustdToken,
  type TokenHolder,
} from "../../../../provider/pki/rotation/planTrustdToken";
import { stepAt } from "../../../../provider/pki/rotation/rotation";

const holders: readonly TokenHolder[] = ["firstControlPlane", "controlplane", "worker"];

describe("planTrustdToken", () => {
  it("always has a control plane machine that accepts a worker's token, also between stages", () => {
    for (let place = 0; place <= 9; place += 1) {
      const [here, there] = [stepAt("trustdToken", place), stepAt("trustdToken", place + 1)];
      // Control plane machines change one after another, workers after all of them.
      const accepted = [
        [planTrustdToken(here, "firstControlPlane"), planTrustdToken(here, "controlplane")],
        [planTrustdToken(there, "firstControlPlane"), planTrustdToken(here, "controlplane")],
        [planTrustdToken(there, "firstControlPlane"), planTrustdToken(there, "controlplane")],
      ];
      for (const tokens of accepted) {
        expect(tokens).toContain(planTrustdToken(here, "worker"));
      }
      expect(accepted.at(-1)).toContain(planTrustdToken(there, "worker"));
    }
  });

  it("ends with one token on all machines", () => {
    for (const [step, generation] of [
      [undefined, 1],
      [{ to: 2, stage: "drop" }, 2],
    ] as const) {
      expect(holders.map((holder) => planTrustdToken(step, holder))).toEqual(
        holders.map(() => generation),
      );
    }
  });
});
