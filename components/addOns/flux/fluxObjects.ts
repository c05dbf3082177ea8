import { DROP_FINALIZERS, type KubernetesObject } from "../../../provider/kubernetes";
import { defined } from "../../defined";
import type { KnownSettings } from "../common/addOn";
import type { AddOnScope } from "../common/addOnScope";
import { checkFluxKeys } from "./checkFluxKeys";
import type { FluxAddOn } from "./fluxAddOn";

const NAMESPACE = "flux-system";

/** `flux bootstrap` names its own objects `flux-system`, so both can be in a cluster. */
const NAME = "cluster";
const KEY = `${NAME}-key`;
const DECRYPTION = `${NAME}-decryption`;

const INTERVAL = "1m";

/** How often Flux compares the cluster with what it has fetched, as `flux bootstrap` sets it. */
const COMPARE_INTERVAL = "10m";

/**
 * What Flux follows: a GitRepository, a Kustomization, and their Secrets. The definitions are in Flux' own
 * manifest, so the objects can only come after it.
 *
 * The Kustomization orphans what it has applied, and both objects go without their finalizers. So nothing of
 * the repository's content is deleted with the add-on, and nothing waits for controllers that are gone.
 *
 * Source: `config/crd/bases` and `docs/spec/v1` of fluxcd/source-controller and fluxcd/kustomize-controller
 * v1.10.1. `deletionPolicy` exists since kustomize-controller v1.5.0, of Flux v2.5.
 *
 * @throws Error with all problems of secrets that were unknown before
 */
export function fluxObjects(
  _scope: AddOnScope,
  addOn: KnownSettings<FluxAddOn>,
): KubernetesObject[] {
  const { url = "", path = "", interval = INTERVAL, prune = true, key, decryption } = addOn;
  const problems = checkFluxKeys(defined({ url, key, decryption }));
  if (problems.length > 0) {
    throw new Error(
      problems.map(({ property, reason }) => `addOns.flux.${property}: ${reason}`).join("; "),
    );
  }
  const { tag, semver } = addOn;
  const branch = addOn.branch ?? (tag === undefined && semver === undefined ? "main" : undefined);
  const metadata = {
    name: NAME,
    namespace: NAMESPACE,
    annotations: { [DROP_FINALIZERS]: "true" },
  };
  return [
    ...(key === undefined ? [] : [secretOf(KEY, keyData(key))]),
    ...(decryption === undefined
      ? []
      : [secretOf(DECRYPTION, { "cluster.agekey": decryption.ageKey })]),
    {
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      metadata,
      spec: {
        url,
        interval,
        ref: defined({ branch, tag, semver }),
        ...(key && { secretRef: { name: KEY } }),
      },
    },
    {
      apiVersion: "kustomize.toolkit.fluxcd.io/v1",
      kind: "Kustomization",
      metadata,
      spec: {
        interval: COMPARE_INTERVAL,
        path: `./${path.replace(/^\.\//, "")}`,
        prune,
        deletionPolicy: "Orphan",
        sourceRef: { kind: "GitRepository", name: NAME },
        ...(decryption && {
          decryption: { provider: "sops", secretRef: { name: DECRYPTION } },
        }),
      },
    },
  ];
}

/** The data of the Secret by which Flux signs in to a repository. */
function keyData({
  privateKey,
  knownHosts,
  username = "git",
  password,
}: NonNullable<KnownSettings<FluxAddOn>["key"]>): Readonly<Record<string, string>> {
  return privateKey === undefined
    ? defined({ username, password })
    : defined({ identity: privateKey, known_hosts: knownHosts });
}

function secretOf(name: string, values: Readonly<Record<string, string>>): KubernetesObject {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
  const metadata = { name, namespace: NAMESPACE };
  return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
}
