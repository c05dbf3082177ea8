import type { ClientCredentials } from "../pki/clientCredentials";

/** A machine as the Talos API reaches it. */
export interface Machine {
  /** Its address. */
  readonly node: string;
  /** The Talos API that is dialled; it forwards to `node` when it is another machine's. */
  readonly endpoint: string;
  /** Its address inside its network, by which its certificate may name it. Default: `node`. */
  readonly privateAddress?: string;
  readonly credentials: ClientCredentials;
}
