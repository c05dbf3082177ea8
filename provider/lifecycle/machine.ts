import type { ClientCredentials } from "../pki/clientCredentials";

/** A machine as the Talos API reaches it. */
export interface Machine {
  /** Its address. */
  readonly node: string;
  /** The Talos API to dial. It forwards to `node` if it is another machine's. */
  readonly endpoint: string;
  /** Its address inside its network, which its certificate may name. Default: `node`. */
  readonly privateAddress?: string;
  readonly credentials: ClientCredentials;
}
