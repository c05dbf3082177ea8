import type { Generator } from "./generator";

/** CAs that machines accept besides the issuing ones, each base64 of PEM. */
export interface AcceptedAuthorities {
  /** CAs of the Talos API. Default: none. */
  readonly talosCa?: readonly string[] | undefined;
  /** CAs of the Kubernetes API. Default: none. */
  readonly kubernetesCa?: readonly string[] | undefined;
}

/**
 * The CAs that machines accept during a rotation, in `machine.acceptedCAs` and
 * `cluster.acceptedCAs`. Talos adds the issuing CA itself (v1.12.1, `controllers/secrets/root.go`).
 * A worker's API accepts the CAs that trustd sends with its certificate
 * (`controllers/secrets/api.go`).
 */
export const acceptedAuthorities: Generator = {
  generate({ acceptedAuthorities: { talosCa = [], kubernetesCa = [] } = {} }) {
    const list = (certificates: readonly string[]) => certificates.map((crt) => ({ crt }));
    return {
      config: {
        ...(talosCa.length > 0 && { machine: { acceptedCAs: list(talosCa) } }),
        ...(kubernetesCa.length > 0 && { cluster: { acceptedCAs: list(kubernetesCa) } }),
      },
    };
  },
};
