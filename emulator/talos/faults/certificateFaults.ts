import { status } from "@grpc/grpc-js";
import { createCertificateAuthority } from "../../../provider/pki";
import { RpcError } from "../rpc/rpcError";
import type { FaultKindDefinition, StartedFault } from "./faultKind";
import { type MachineFaults, methodOf } from "./machineFaults";
import { fails, startedForCalls, together } from "./startedFault";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Faults of a machine's certificates and clock. */
export const certificateFaults = {
  expiredCertificate: {
    does: "has the machine show certificates that have ended; those of a worker come from its control planes",
    standsFor: "a machine that failed to renew its certificate",
    parameters: {},
    refusal: ({ machineType }) =>
      machineType === "worker"
        ? "it is a worker, whose certificate its control planes issue: skew their clocks"
        : undefined,
    // The Kubernetes API server's certificates are valid for a year.
    start: ({ faults }) => refreshed(faults, faults.shiftCertificates(-366 * DAY_MS)),
  },
  foreignCertificates: {
    does: "has the machine show certificates of another cluster's CA, and take only clients of that",
    standsFor: "a machine of another cluster at the address, a CA that was replaced",
    parameters: {},
    start: async ({ faults }) => {
      const now = Date.now();
      const ca = await createCertificateAuthority({
        organization: "talos",
        keyType: "ed25519",
        notBefore: new Date(now - DAY_MS),
        notAfter: new Date(now + DAY_MS),
      });
      return refreshed(faults, faults.replaceCa(ca));
    },
  },
  clockSkew: {
    does: "puts the machine's clock forward or back: it tells that time, the certificates it issues and judges go by it, and it refuses Bootstrap until its time is in sync",
    standsFor: "a machine that can't reach its time servers",
    parameters: {
      byMs: { default: 2 * DAY_MS, meaning: "how far, in milliseconds; negative is into the past" },
    },
    start: ({ faults }, parameters) =>
      together(
        refreshed(faults, faults.skewClock(parameters.number("byMs"))),
        startedForCalls(faults, {
          applies: (call) => methodOf(call) === "Bootstrap",
          run: () => fails(new RpcError(status.FAILED_PRECONDITION, "time is not in sync yet")),
        }),
      ),
  },
} satisfies Record<string, FaultKindDefinition>;

/** Closes all connections, so that changed certificates apply to all. */
async function refreshed(faults: MachineFaults, end: () => void): Promise<StartedFault> {
  const apply = async () => {
    await faults.refresh();
    faults.wire.reset();
  };
  await apply();
  return {
    lift: () => {
      end();
      return apply();
    },
  };
}
