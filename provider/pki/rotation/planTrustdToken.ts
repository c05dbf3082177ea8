import type { MachineType } from "../../config/machineBasics";
import type { RotationStep } from "./rotation";

/** A machine by what it does with the trustd token: the first one of the control plane leads. */
export type TokenHolder = MachineType | "firstControlPlane";

/**
 * The generation of the trustd token that a machine has in a stage.
 *
 * trustd accepts one token. A worker asks one control plane machine after another until one of them
 * signs its certificate. So while the first machine has the new token and the others the old one,
 * workers with either token get certificates, also when they restart. This takes two control plane
 * machines.
 *
 * Sources: Talos v1.12.1, `internal/app/trustd/main.go` (`tokenGetter`), `pkg/grpc/gen/remote.go`
 * (`RemoteGenerator`: all endpoints in turn, each error is retried for a minute, then the controller
 * `controllers/secrets/api.go` begins again).
 *
 * @param step undefined for a cluster whose token was never rotated
 */
export function planTrustdToken(step: RotationStep | undefined, holder: TokenHolder): number {
  if (step === undefined) {
    return 1;
  }
  const [before, after] = [step.to - 1, step.to];
  switch (step.stage) {
    case "accept":
      return holder === "firstControlPlane" ? after : before;
    case "issue":
      return holder === "controlplane" ? before : after;
    default:
      return after;
  }
}
