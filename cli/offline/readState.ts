import type { Deployment } from "@pulumi/pulumi/automation";
import type { RecordedResource } from "../../environments/findRecorded";

/** A state that can't be previewed from; its message says why, and what to do. */
export class OfflineStateError extends Error {
  constructor(reason: string) {
    super(`the state can't be previewed from: ${reason}`);
    this.name = "OfflineStateError";
  }
}

interface Recorded {
  readonly resources?: readonly RecordedResource[];
  readonly secrets_providers?: { readonly type?: string };
}

/** A stack's exported state, of which the secrets can be read here. */
export interface ReadableState {
  readonly resources: readonly RecordedResource[];
  /** Whether its secrets are in clear, and not encrypted with the passphrase. */
  readonly isClear: boolean;
}

/**
 * Reads a stack's exported state.
 *
 * @param hasPassphrase whether there is one for its secrets
 * @throws OfflineStateError when it is none, or its secrets can't be read here
 */
export function readState(state: Deployment, hasPassphrase: boolean): ReadableState {
  const deployment = state.deployment as Recorded | undefined;
  if (typeof deployment !== "object") {
    throw new OfflineStateError(`it has no "deployment": take what "pulumi stack export" writes`);
  }
  const { resources = [], secrets_providers: encryption } = deployment;
  const isClear = !JSON.stringify(resources).includes('"ciphertext":');
  if (!isClear && encryption?.type !== "passphrase") {
    throw new OfflineStateError(
      `its secrets are encrypted by "${encryption?.type ?? "something unknown"}", which isn't asked here: export it with --show-secrets, and keep that file as secret as the cluster`,
    );
  }
  if (!isClear && !hasPassphrase) {
    throw new OfflineStateError(
      "its secrets are encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE to it",
    );
  }
  return { resources, isClear };
}
