import { inputProblems } from "../configError";
import { mirrorProblem, registryProblem } from "../rules/valueRules";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** Where machines get images from. */
export interface RegistryMirrorsOptions {
  /**
   * Mirrors of a registry (`docker.io`, `*` for all others): URLs with scheme, in the order to try,
   * for example `{docker.io: ["https://mirror.example.com"]}`.
   * The registry itself comes last. Default: none.
   */
  readonly registryMirrors?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * Mirrors of image registries: `RegistryMirrorConfig`, or `machine.registries` in older contracts.
 */
export const registryMirrors: Generator<RegistryMirrorsOptions> = {
  check: ({ registryMirrors: mirrors = {} }) =>
    Object.entries(mirrors).flatMap(([registry, endpoints]) => [
      ...inputProblems(["registryMirrors", registry], registryProblem(registry)),
      ...endpoints.flatMap((endpoint, index) =>
        inputProblems(["registryMirrors", registry, index], mirrorProblem(endpoint)),
      ),
    ]),

  generate({ registryMirrors: mirrors = {} }, { networkDocuments, kubernetesRegistryMirror }) {
    const defaults = kubernetesRegistryMirror ? formerKubernetesRegistry : {};
    const registries = Object.entries({ ...defaults, ...mirrors }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    if (networkDocuments) {
      return {
        documents: registries.map(([name, endpoints]) =>
          configDocument("RegistryMirrorConfig", {
            name,
            endpoints: endpoints.map((url) => ({ url })),
          }),
        ),
      };
    }
    const legacy = registries.map(([name, endpoints]) => [name, { endpoints }] as const);
    return {
      config: mapping({ machine: { registries: { mirrors: Object.fromEntries(legacy) } } }),
    };
  },
};

/** The new registry of Kubernetes' images, for clusters that still use k8s.gcr.io. */
const formerKubernetesRegistry: Readonly<Record<string, readonly string[]>> = {
  "k8s.gcr.io": ["https://registry.k8s.io", "https://k8s.gcr.io"],
};
