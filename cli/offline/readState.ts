import type { Deployment } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";
import type { RecordedResource } from "./answersOfState";

interface Recorded {
  readonly resources?: readonly RecordedResource[] | null;
  readonly secrets_providers?: { readonly type?: string };
}

/** A stack's exported state whose secrets can be decrypted here. */
export interface ReadableState {
  readonly resources: readonly RecordedResource[];
  /** Whether its secrets are in clear, not encrypted with the passphrase. */
  readonly isClear: boolean;
}

/** The stack that a state is read for. */
export interface ReadStateOptions {
  readonly project: string;
  readonly stack: string;
  /** Whether a passphrase is known. */
  readonly hasPassphrase: boolean;
}

/**
 * Reads a stack's exported state.
 *
 * @throws OfflineStateError if it is invalid, belongs to another stack, or has secrets that can't
 *   be decrypted here
 */
export function readState(state: Deployment, options: ReadStateOptions): ReadableState {
  const { project, stack, hasPassphrase } = options;
  const deployment = state.deployment as Recorded | null | undefined;
  if (typeof deployment !== "object" || deployment === null) {
    throw new OfflineStateError(`it has no "deployment": use the output of "pulumi stack export"`);
  }
  const { secrets_providers: encryption } = deployment;
  const resources = deployment.resources ?? [];
  const other = resources.find(({ urn }) => !urn.startsWith(`urn:pulumi:${stack}::${project}::`));
  if (other !== undefined) {
    const [, theirStack = "", theirProject = ""] =
      /^urn:pulumi:(.*?)::(.*?)::/.exec(other.urn) ?? [];
    throw new OfflineStateError(
      `it belongs to the stack "${theirStack}" of the project "${theirProject}", not to "${stack}" of "${project}": export the stack that you preview`,
    );
  }
  const isClear = !JSON.stringify(resources).includes('"ciphertext":');
  if (!isClear && encryption?.type !== "passphrase") {
    throw new OfflineStateError(
      `its secrets are encrypted by "${encryption?.type ?? "something unknown"}", which isn't available here: export it with --show-secrets, and protect that file like the cluster's secrets`,
    );
  }
  if (!isClear && !hasPassphrase) {
    throw new OfflineStateError(
      "its secrets are encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE to it",
    );
  }
  return { resources, isClear };
}

/** A state that a preview can't use. The message says why, and what to do. */
export class OfflineStateError extends CommandFailure {
  constructor(reason: string) {
    super(`the state can't be used for a preview: ${reason}`);
  }
}
