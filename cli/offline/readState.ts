import type { Deployment } from "@pulumi/pulumi/automation";
import type { RecordedResource } from "../../environments/findRecorded";
import { OfflineStateError } from "./offlineStateError";

interface Recorded {
  readonly resources?: readonly RecordedResource[] | null;
  readonly secrets_providers?: { readonly type?: string };
}

/** A stack's exported state, of which the secrets can be read here. */
export interface ReadableState {
  readonly resources: readonly RecordedResource[];
  /** Whether its secrets are in clear, and not encrypted with the passphrase. */
  readonly isClear: boolean;
}

/** What a state is read for. */
export interface ReadStateOptions {
  readonly project: string;
  readonly stack: string;
  /** Whether there is a passphrase for its secrets. */
  readonly hasPassphrase: boolean;
}

/**
 * Reads a stack's exported state.
 *
 * @throws OfflineStateError when it is none, is another stack's, or its secrets can't be read here
 */
export function readState(state: Deployment, options: ReadStateOptions): ReadableState {
  const { project, stack, hasPassphrase } = options;
  const deployment = state.deployment as Recorded | null | undefined;
  if (typeof deployment !== "object" || deployment === null) {
    throw new OfflineStateError(`it has no "deployment": take what "pulumi stack export" writes`);
  }
  const { secrets_providers: encryption } = deployment;
  const resources = deployment.resources ?? [];
  const other = resources.find(({ urn }) => !urn.startsWith(`urn:pulumi:${stack}::${project}::`));
  if (other !== undefined) {
    const [, theirStack = "", theirProject = ""] =
      /^urn:pulumi:(.*?)::(.*?)::/.exec(other.urn) ?? [];
    throw new OfflineStateError(
      `it is of the stack "${theirStack}" of the project "${theirProject}", and this is "${stack}" of "${project}": export the one that is previewed`,
    );
  }
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
